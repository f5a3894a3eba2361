/*
 * An X client for the guest that tests features for which Debian has no program small enough for an
 * initramfs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * usage: pixmill-x11 gradients|video|background|drawing|add-solid|add-a8 X Y
 *
 * "gradients" shows gradients of the Render extension, with translucent pictures over them. "video"
 * shows a YUV 4:2:2 picture with the server's video adaptor. If there is none, as without
 * acceleration, the client converts the picture. It prints which of the two it does.  "background"
 * draws a gradient on the root window and opens an empty window.  "drawing" runs a long, fixed
 * sequence of fills, copies and blends, and prints "begun" and "done".  All print "click X Y" for
 * each button press. "add-solid" and "add-a8" trigger bugs of the geode driver (docs/found.md),
 * print the outcome and exit.
 *
 */
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/Xrender.h>
#include <X11/extensions/Xvlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 320, HEIGHT = 240, CELL = 80, FOURCC_YUY2 = 0x32595559 };

typedef struct {
    Display* display;
    Window window;
    XVisualInfo visual;
    GC gc;
} View;

/* ---- Gradients ----------------------------------------------------------- */

static XFixed fixed(double value) {
    return XDoubleToFixed(value);
}

/* Returns a premultiplied color for the Render extension. */
static XRenderColor color(unsigned rgb, unsigned alpha) {
    const unsigned a = alpha * 257;
    const XRenderColor c = {(rgb >> 16 & 255) * 257 * a / 65535, (rgb >> 8 & 255) * 257 * a / 65535,
                            (rgb & 255) * 257 * a / 65535, a};
    return c;
}

static Picture gradient(Display* display, int kind, int repeat) {
    const XFixed stops[] = {fixed(0), fixed(0.4), fixed(1)};
    const XRenderColor colors[] = {color(0xE03020, 255), color(0xF0D040, 160),
                                   color(0x2040C0, 255)};
    const XLinearGradient linear = {{fixed(5), fixed(10)}, {fixed(60), fixed(70)}};
    const XRadialGradient radial = {{fixed(30), fixed(30), fixed(4)},
                                    {fixed(40), fixed(40), fixed(36)}};
    const XConicalGradient conical = {{fixed(40), fixed(40)}, fixed(30)};
    XRenderPictureAttributes attributes = {.repeat = repeat};
    Picture made = kind == 0   ? XRenderCreateLinearGradient(display, &linear, stops, colors, 3)
                   : kind == 1 ? XRenderCreateRadialGradient(display, &radial, stops, colors, 3)
                               : XRenderCreateConicalGradient(display, &conical, stops, colors, 3);

    XRenderChangePicture(display, made, CPRepeat, &attributes);
    return made;
}

/* Creates a picture with alpha. */
static Picture layer(const View* view, int width, int height) {
    Pixmap pixmap = XCreatePixmap(view->display, view->window, width, height, 32);
    Picture made =
        XRenderCreatePicture(view->display, pixmap,
                             XRenderFindStandardFormat(view->display, PictStandardARGB32), 0, NULL);

    XFreePixmap(view->display, pixmap);
    return made;
}

/* Draws three kinds of gradients with four repeat modes. */
static void draw_cells(const View* view, Picture window) {
    for (int i = 0; i < 12; i++) {
        Picture from = gradient(view->display, i / 4, i % 4);
        XRenderComposite(view->display, PictOpOver, from, None, window, 0, 0, 0, 0, i % 4 * CELL,
                         i / 4 * CELL, CELL, CELL);
        XRenderFreePicture(view->display, from);
    }
}

/* Creates a picture of a gradient, opaque in the middle and translucent around it. */
static Picture stained_glass(const View* view, int width, int height) {
    Picture glass = layer(view, width, height);
    Picture from = gradient(view->display, 1, RepeatPad);

    XRenderComposite(view->display, PictOpSrc, from, None, glass, 0, 0, 0, 0, 0, 0, width, height);
    XRenderFreePicture(view->display, from);
    return glass;
}

/* Draws overlapping translucent pictures. */
static void draw_layers(const View* view, Picture window) {
    static const int operations[] = {PictOpOver, PictOpAdd, PictOpOutReverse, PictOpOver};
    Picture glass = stained_glass(view, 120, 90);

    for (int i = 0; i < 8; i++) {
        const XRenderColor tint = color(0x102040 * (unsigned)(i + 1), 20 * (unsigned)i);
        XRenderFillRectangle(view->display, PictOpSrc, glass, &tint, 10 * i, 8 * i, 40, 26);
    }
    for (int i = 0; i < 4; i++)
        XRenderComposite(view->display, operations[i], glass, None, window, 0, 0, 0, 0, 8 + 64 * i,
                         130 - 30 * i, 120, 90);
    XRenderFreePicture(view->display, glass);
}

static Picture picture_of_window(const View* view) {
    return XRenderCreatePicture(view->display, view->window,
                                XRenderFindVisualFormat(view->display, view->visual.visual), 0,
                                NULL);
}

static void draw_gradients(const View* view) {
    Picture window = picture_of_window(view);

    draw_cells(view, window);
    draw_layers(view, window);
    XRenderFreePicture(view->display, window);
}

/* Sets the root window's background, and the property for it that compositing managers read. */
static void draw_background(const View* view) {
    const int screen = DefaultScreen(view->display), depth = view->visual.depth;
    const int width = DisplayWidth(view->display, screen),
              height = DisplayHeight(view->display, screen);
    const XLinearGradient down = {{0, 0}, {fixed(width / 4.0), fixed(height)}};
    const XFixed stops[] = {fixed(0), fixed(0.6), fixed(1)};
    const XRenderColor colors[] = {color(0x16324F, 255), color(0x3E7CB1, 255),
                                   color(0xDBE4EE, 255)};
    const Window root = RootWindow(view->display, screen);
    const Pixmap pixmap = XCreatePixmap(view->display, root, width, height, depth);
    XRenderPictureAttributes attributes = {.repeat = RepeatPad};
    const Picture from = XRenderCreateLinearGradient(view->display, &down, stops, colors, 3);
    const Picture to =
        XRenderCreatePicture(view->display, pixmap,
                             XRenderFindVisualFormat(view->display, view->visual.visual), 0, NULL);

    XRenderChangePicture(view->display, from, CPRepeat, &attributes);
    XRenderComposite(view->display, PictOpSrc, from, None, to, 0, 0, 0, 0, 0, 0, width, height);
    XSetWindowBackgroundPixmap(view->display, root, pixmap);
    XClearWindow(view->display, root);
    XChangeProperty(view->display, root, XInternAtom(view->display, "_XROOTPMAP_ID", False),
                    XA_PIXMAP, 32, PropModeReplace, (const unsigned char*)&pixmap, 1);
    XRenderFreePicture(view->display, from);
    XRenderFreePicture(view->display, to);
}

/* ---- A long drawing ------------------------------------------------------ */

/* The drawing after "begun" takes a few seconds, so that the guest can be saved and loaded while it
 * runs. */
enum { STEPS = 120000, BEGUN = STEPS / 8, LARGEST = 96 };

typedef struct {
    const View* view;
    Picture window, glass;
    unsigned state;
} Drawing;

static int number_below(Drawing* drawing, unsigned end) {
    drawing->state = drawing->state * 1103515245 + 12345;
    return (drawing->state >> 16) % end;
}

static void fill_box(Drawing* drawing, XRectangle box) {
    const View* view = drawing->view;

    XSetForeground(view->display, view->gc, (unsigned)number_below(drawing, 0x1000) * 0x1001);
    XFillRectangle(view->display, view->window, view->gc, box.x, box.y, box.width, box.height);
}

/* Copies a box from a position nearby, in any direction. Source and destination usually overlap. */
static void copy_box(Drawing* drawing, XRectangle box) {
    const View* view = drawing->view;
    const int right = number_below(drawing, 41) - 20, down = number_below(drawing, 41) - 20;

    XCopyArea(view->display, view->window, view->window, view->gc, box.x + right, box.y + down,
              box.width, box.height, box.x, box.y);
}

static void blend_box(Drawing* drawing, XRectangle box) {
    static const int operations[] = {PictOpOver, PictOpAdd, PictOpOutReverse, PictOpOver};
    const int operation = operations[number_below(drawing, 4)];

    XRenderComposite(drawing->view->display, operation, drawing->glass, None, drawing->window, 0, 0,
                     0, 0, box.x, box.y, box.width, box.height);
}

/* Waits until the server has executed all requests so far, then prints a line. */
static void tell(const View* view, const char* what) {
    XSync(view->display, False);
    puts(what);
    fflush(stdout);
}

static void draw_for_long(const View* view) {
    static void (*const steps[])(Drawing*, XRectangle) = {fill_box, copy_box, blend_box};
    Drawing drawing = {view, picture_of_window(view), stained_glass(view, LARGEST, LARGEST), 1};

    for (int i = 1; i <= STEPS; i++) {
        const int x = number_below(&drawing, WIDTH), y = number_below(&drawing, HEIGHT);
        const int width = number_below(&drawing, LARGEST) + 1;
        const int height = number_below(&drawing, LARGEST) + 1;
        const XRectangle box = {x, y, width, height};

        steps[number_below(&drawing, 3)](&drawing, box);
        if (i == BEGUN)
            tell(view, "begun");
    }
    tell(view, "done");
    XRenderFreePicture(view->display, drawing.window);
    XRenderFreePicture(view->display, drawing.glass);
}

/* ---- Video --------------------------------------------------------------- */

/* Creates a picture of all chroma values, brighter toward the middle. The bytes of two pixels are
 * Y U Y V. */
static unsigned char* yuy2_picture(void) {
    unsigned char* const bytes = malloc(WIDTH * HEIGHT * 2);

    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const int across = abs(2 * x - WIDTH), down = abs(2 * y - HEIGHT);
            unsigned char* const pixel = bytes + 2 * (WIDTH * y + x);
            pixel[0] = 16 + 219 * (WIDTH + HEIGHT - across - down) / (WIDTH + HEIGHT);
            pixel[1] = x & 1 ? 16 + 224 * y / HEIGHT : 16 + 224 * x / WIDTH;
        }
    return bytes;
}

static unsigned clamped(int value) {
    return value < 0 ? 0 : value > 255 ? 255 : value;
}

/* Converts from ITU-R BT.601, video range, with factors in 256ths, and rounds to nearest. The
 * Geode LX data book, 6.7.4, gives the same factors. */
static unsigned rgb_of(int luma, int u, int v) {
    const int y = 298 * (luma - 16) + 128;
    const unsigned red = clamped((y + 409 * (v - 128)) >> 8);
    const unsigned green = clamped((y - 100 * (u - 128) - 208 * (v - 128)) >> 8);
    const unsigned blue = clamped((y + 516 * (u - 128)) >> 8);

    return red << 16 | green << 8 | blue;
}

static void convert_and_put(const View* view, const unsigned char* bytes) {
    XImage* image = XCreateImage(view->display, view->visual.visual, view->visual.depth, ZPixmap, 0,
                                 malloc(WIDTH * HEIGHT * 4), WIDTH, HEIGHT, 32, 0);

    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const unsigned char* const pair = bytes + 2 * (WIDTH * y + (x & ~1));
            const unsigned rgb = rgb_of(pair[x & 1 ? 2 : 0], pair[1], pair[3]);
            XPutPixel(image, x, y,
                      view->visual.depth == 16
                          ? (rgb >> 8 & 0xF800) | (rgb >> 5 & 0x7E0) | (rgb >> 3 & 0x1F)
                          : rgb);
        }
    XPutImage(view->display, view->window, view->gc, image, 0, 0, 0, 0, WIDTH, HEIGHT);
    XDestroyImage(image);
}

static void draw_video(const View* view) {
    unsigned char* const bytes = yuy2_picture();
    XvAdaptorInfo* adaptors = NULL;
    unsigned count = 0;

    if (XvQueryAdaptors(view->display, view->window, &count, &adaptors) == Success && count > 0) {
        XvImage* image = XvCreateImage(view->display, adaptors[0].base_id, FOURCC_YUY2,
                                       (char*)bytes, WIDTH, HEIGHT);
        XvPutImage(view->display, adaptors[0].base_id, view->window, view->gc, image, 0, 0, WIDTH,
                   HEIGHT, 0, 0, WIDTH, HEIGHT);
        XFree(image);
        tell(view, "shown by the adaptor");
    } else {
        convert_and_put(view, bytes);
        tell(view, "converted by the client");
    }
    XvFreeAdaptorInfo(adaptors);
    free(bytes);
}

/* ---- Bugs of the geode driver -------------------------------------------- */

enum { TILE = 64 };

static Picture tile(const View* view, int format, int depth, unsigned alpha, Pixmap* pixmap) {
    const XRenderColor filling = color(0, alpha);

    *pixmap = XCreatePixmap(view->display, view->window, TILE, TILE, depth);
    const Picture made = XRenderCreatePicture(
        view->display, *pixmap, XRenderFindStandardFormat(view->display, format), 0, NULL);
    XRenderFillRectangle(view->display, PictOpSrc, made, &filling, 0, 0, TILE, TILE);
    return made;
}

/* Adds a solid color, which has no pixmap, to an alpha-only picture. */
static void add_solid(const View* view) {
    const XRenderColor white = color(0xFFFFFF, 255);
    Pixmap pixmap;
    const Picture to = tile(view, PictStandardA8, 8, 0, &pixmap);

    XRenderComposite(view->display, PictOpAdd, XRenderCreateSolidFill(view->display, &white), None,
                     to, 0, 0, 0, 0, 0, 0, TILE, TILE);
    XSync(view->display, False);
    puts("the server lives");
    exit(0);
}

/* Adds an opaque alpha-only picture to a picture of zeros. The result must be opaque black. */
static void add_a8(const View* view) {
    int wrong = 0;
    Pixmap from, to;
    const Picture alpha = tile(view, PictStandardA8, 8, 255, &from);
    const Picture colors = tile(view, PictStandardARGB32, 32, 0, &to);

    XRenderComposite(view->display, PictOpAdd, alpha, None, colors, 0, 0, 0, 0, 0, 0, TILE, TILE);
    XImage* const image = XGetImage(view->display, to, 0, 0, TILE, TILE, AllPlanes, ZPixmap);
    for (int y = 0; y < TILE; y++)
        for (int x = 0; x < TILE; x++)
            wrong += (XGetPixel(image, x, y) & 0xFFFFFFFF) != 0xFF000000;
    printf("%d of %d pixels are wrong\n", wrong, TILE * TILE);
    exit(wrong != 0);
}

/* ---- Window -------------------------------------------------------------- */

enum { SEEN = ExposureMask | ButtonPressMask };

static const struct {
    const char* name;
    void (*draw)(const View* view);
    long events; /* 0 if it is drawn only once, before the window is mapped */
} pages[] = {{"gradients", draw_gradients, SEEN}, {"video", draw_video, SEEN},
             {"drawing", draw_for_long, SEEN},    {"background", draw_background, 0},
             {"add-solid", add_solid, 0},         {"add-a8", add_a8, 0}};

static View open_view(const char* page, int argc, char** argv) {
    View view = {.display = XOpenDisplay(NULL)};

    if (!view.display) {
        fputs("no X server\n", stderr);
        exit(1);
    }
    const int screen = DefaultScreen(view.display);
    XVisualInfo wanted = {.visualid = XVisualIDFromVisual(DefaultVisual(view.display, screen))};
    int count;
    view.visual = *XGetVisualInfo(view.display, VisualIDMask, &wanted, &count);
    view.window = XCreateSimpleWindow(view.display, RootWindow(view.display, screen), atoi(argv[2]),
                                      atoi(argv[3]), WIDTH, HEIGHT, 0, 0, 0);
    /* Suppress the event that each copy would cause. */
    XGCValues values = {.graphics_exposures = False};
    view.gc = XCreateGC(view.display, view.window, GCGraphicsExposures, &values);
    /* Set the command, since xlsclients(1) lists only windows that have one. */
    XmbSetWMProperties(view.display, view.window, page, page, argv, argc, NULL, NULL, NULL);
    return view;
}

int main(int argc, char** argv) {
    for (size_t i = 0; argc == 4 && i < sizeof(pages) / sizeof(pages[0]); i++) {
        if (strcmp(argv[1], pages[i].name) != 0)
            continue;
        const View view = open_view(argv[1], argc, argv);
        XSelectInput(view.display, view.window, pages[i].events);
        if (!pages[i].events)
            pages[i].draw(&view);
        XMapWindow(view.display, view.window);
        for (XEvent event;;) {
            XNextEvent(view.display, &event);
            if (event.type == Expose && event.xexpose.count == 0)
                pages[i].draw(&view);
            if (event.type == ButtonPress) {
                printf("click %d %d\n", event.xbutton.x_root, event.xbutton.y_root);
                fflush(stdout);
            }
        }
    }
    fputs("usage: pixmill-x11 gradients|video|background|drawing|add-solid|add-a8 X Y\n", stderr);
    return 1;
}
