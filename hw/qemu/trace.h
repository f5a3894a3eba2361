#include "trace/trace-hw_pixmill.h"
