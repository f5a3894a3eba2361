# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes report.html, the human-readable results of a run: one file without scripts, with relative links to pictures and logs."""

import collections
import datetime
import html
import os
import re
import urllib.parse

TAIL = 20  # lines of a case's log and of the console that are shown
SHOWN = 100  # failures shown in full; the others are only in the table
GALLERY = 60  # pictures of passed cases
OPEN = 40  # the table of a suite with more cases is initially closed

STYLE = """
:root{color-scheme:light dark;--page:#f6f7f9;--card:#fff;--text:#1b1f24;--soft:#5b6570;--line:#d9dee4;--code:#f0f2f5;
--good:#1a7f37;--bad:#c4202c;--warn:#8a5a00;--good-soft:#dcf3e2;--bad-soft:#fde5e5;--warn-soft:#fbeed0;--link:#0a58ca}
@media(prefers-color-scheme:dark){:root{--page:#101418;--card:#181d23;--text:#e4e8ed;--soft:#98a3af;--line:#2c343d;--code:#0f1317;
--good:#4cc26b;--bad:#ff7b7b;--warn:#e3b341;--good-soft:#12301b;--bad-soft:#3c1719;--warn-soft:#352a10;--link:#74b0ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
main{max-width:72rem;margin:0 auto;padding:1.5rem clamp(.75rem,3vw,2rem) 4rem}
a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
h1{font-size:clamp(1.4rem,4vw,2rem);line-height:1.2;margin:0}
h2{font-size:1.15rem;margin:2.25rem 0 .75rem}
h3{font-size:1rem;margin:0;overflow-wrap:anywhere}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.85em}
code{overflow-wrap:anywhere}
.card,header,article{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1rem 1.25rem}
header{border-left:8px solid var(--tone);padding:1.25rem 1.5rem}
.good{--tone:var(--good);--tint:var(--good-soft)}.bad{--tone:var(--bad);--tint:var(--bad-soft)}.warn{--tone:var(--warn);--tint:var(--warn-soft)}
.over{color:var(--soft);margin:0 0 .35rem;overflow-wrap:anywhere}
h1 b{color:var(--tone)}
.cause{margin:.75rem 0 0;padding:.6rem .85rem;background:var(--tint);border-radius:6px;overflow-wrap:anywhere}
.counts{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:.9rem 0 0;color:var(--soft)}
.counts strong{color:var(--text)}
.bar{display:flex;height:8px;border-radius:4px;overflow:hidden;margin-top:.6rem;background:var(--line)}
.bar i{flex:var(--n) 0 0;min-width:3px;background:var(--tone)}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,15rem),1fr));gap:.75rem 1.5rem;margin:0}
dl div{min-width:0}dl .wide{grid-column:1/-1}
dt{color:var(--soft);font-size:.85em}dd{margin:0;overflow-wrap:anywhere}
article{margin:0 0 1rem;border-left:4px solid var(--bad)}
article p{margin:.35rem 0 0;overflow-wrap:anywhere}
pre{margin:.4rem 0 0;padding:.7rem .85rem;background:var(--code);border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere}
.label{color:var(--soft);font-size:.85em;margin-top:.9rem!important}
.row{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,16rem),1fr));gap:1rem;margin-top:.9rem}
.row.three{grid-template-columns:repeat(3,minmax(0,1fr));max-width:60rem}
figure{margin:0;min-width:0}figure img{display:block;width:100%;height:auto;image-rendering:pixelated;border:1px solid var(--line);
border-radius:4px;background:repeating-conic-gradient(#8883 0 25%,#0000 0 50%) 0/16px 16px}
figcaption{color:var(--soft);font-size:.85em;overflow-wrap:anywhere;margin-top:.25rem}
.wrap{overflow-x:auto;padding:0}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.45rem .9rem;border-bottom:1px solid var(--line)}
tr:last-child td{border-bottom:0}th{color:var(--soft);font-weight:500;font-size:.85em}
td.name{overflow-wrap:anywhere;min-width:9rem}td.state{width:1%}td.why{overflow-wrap:anywhere;min-width:12rem;width:45%}td.n{text-align:right;white-space:nowrap}
.pill{display:inline-block;white-space:nowrap;padding:0 .55em;border-radius:1em;font-size:.85em;color:var(--tone);background:var(--tint)}
tr.skipped{color:var(--soft)}
details{margin:0 0 .75rem}summary{cursor:pointer;padding:.6rem 1.25rem;overflow-wrap:anywhere}
details.card{padding:0}details .wrap{border-top:1px solid var(--line)}details dl{padding:0 1.25rem 1rem}
@media(max-width:40rem){.row.three{grid-template-columns:1fr 1fr}th,td{padding:.4rem .6rem}header,article{padding:.9rem 1rem}}
@media print{body{background:none}}
"""

TONES = {"passed": "good", "failed": "bad", "skipped": "warn"}
LABELS = {"append": "kernel command line", "begun": "when", "seconds": "took", "exit status": "exit status"}
WIDE = ("command", "cause")
FIRST = ("Linux", "board", "kernel", "device tree", "modules", "initramfs", "root file system", "programs", "append", "shard",
         "snapshot", "begun", "seconds")
ESCAPES = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|.)")
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff]")


def esc(words):
    return html.escape(CONTROLS.sub("?", ESCAPES.sub("", str(words).encode(errors="replace").decode())))


def link(path, words):
    return f'<a href="{html.escape(urllib.parse.quote(path, errors="surrogateescape"))}">{esc(words)}</a>'


def lasting(seconds):
    seconds = float(seconds)
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def moment(words):
    try:
        when = datetime.datetime.strptime(words, "%Y-%m-%dT%H:%M:%S%z")
        return when.strftime("%Y-%m-%d %H:%M:%S UTC%z").replace("UTC+0000", "UTC")
    except (TypeError, ValueError):
        return words


def tail_of(path):
    """Returns the last lines of a log; [] if it is missing."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return [line.rstrip() for line in collections.deque(file, TAIL)]
    except OSError:
        return []


def many(count, what):
    return f"{count} {what}{'' if count == 1 else 's'}"


# ---- parts of the page -------------------------------------------------------------------------


def facts(about, qemu=""):
    known = [name for name in FIRST if name in about]
    rest = [name for name in about if name not in (*FIRST, *WIDE, "verdict", "exit status", "name")]
    values = [(name, about[name]) for name in known + rest]
    if qemu:
        values.append(("QEMU", qemu))
    values += [(name, about[name]) for name in WIDE if name in about]
    parts = []
    for name, value in values:
        if value in ("", None):
            continue
        shown = lasting(value) if name == "seconds" else esc(moment(value) if name == "begun" else value)
        if name in ("append", "command"):
            shown = f"<code>{shown}</code>"
        parts.append(f"<div{' class=wide' * (name in WIDE)}><dt>{esc(LABELS.get(name, name))}</dt><dd>{shown}</dd></div>")
    return f"<dl>{''.join(parts)}</dl>"


def verdict_of(report):
    """Returns (verdict, exit status or None, tone)."""
    counts = report.counts()
    abouts = [report.about, *report.parts]
    bad = [about for about in abouts if about.get("verdict", "passed") != "passed"]
    words = bad[0]["verdict"] if bad else "failed" if counts["failed"] else "passed"
    if words == "passed":
        return words, report.about.get("exit status"), "good"
    return words, (bad[0] if bad else {}).get("exit status"), "warn" if words.startswith("the host") else "bad"


def head(report):
    counts = report.counts()
    words, status, tone = verdict_of(report)
    where = {" / ".join(suite[word] for word in ("board", "series") if suite[word]) for suite in report.suites}
    summary = (f"{counts['failed']} of {many(sum(counts.values()), 'case')} failed" if counts["failed"] else
               f"all of {many(counts['passed'], 'case')}" if counts["passed"] else "no case was run")
    causes = list(dict.fromkeys(about["cause"] for about in [report.about, *report.parts] if about.get("cause")))
    failed = [case for case in report.cases if case["outcome"] == "failed"]
    if not causes and failed:
        causes = [f"{failed[0]['suite']}: {failed[0]['case']}: {failed[0]['why'] or 'it failed'}"
                  + (f" (and {many(len(failed) - 1, 'other')})" if len(failed) > 1 else "")]
    bar = "".join(f'<i class={TONES[outcome]} style="--n:{counts[outcome]}"></i>'
                  for outcome in ("failed", "skipped", "passed") if counts[outcome])
    told = "".join(f"<span><strong>{counts[outcome]}</strong> {outcome}</span>" for outcome in ("passed", "failed", "skipped"))
    took = report.about.get("seconds") or sum(suite["seconds"] for suite in report.suites)
    return (f"<header class={tone}><p class=over>Pixmill &middot; {esc(', '.join(sorted(where)) or 'no suite')}</p>"
            f"<h1><b>{esc((words[:1].upper() + words[1:]).partition(':')[0])}</b>: {summary}</h1>"
            + "".join(f"<p class=cause>{esc(cause)}</p>" for cause in causes)
            + f"<div class=counts>{told}<span>{lasting(took)}</span>"
            + (f"<span>exit status {esc(status)}</span>" if status is not None else "")
            + f"</div><div class=bar>{bar}</div></header>")


def kind_of(path):
    """Returns "expected", "difference" or "seen", depending on the picture's name (judge.picture_case)."""
    stem = os.path.splitext(path)[0]
    return next((kind for kind in ("expected", "difference") if stem.endswith(f"-{kind}")), "seen")


def figure(path, caption):
    quoted = html.escape(urllib.parse.quote(path))
    return (f'<figure><a href="{quoted}"><img src="{quoted}" alt="{esc(caption)}" loading=lazy></a>'
            f"<figcaption>{esc(caption)}</figcaption></figure>")


def pictures(case):
    if not case["files"]:
        return ""
    shown = "".join(figure(path, kind_of(path)) for path in case["files"])
    return f"<div class='row{' three' * (len(case['files']) > 1)}'>{shown}</div>"


def failure(case, folder):
    lines = tail_of(os.path.join(folder, case["log"])) if case.get("log") else []
    kind = "" if case["result"] == "Fail" else f'<span class="pill bad">{esc(case["result"])}</span> '
    return (f"<article><h3>{esc(case['name'])}</h3><p>{kind}{esc(case['why'] or 'it failed')}</p>"
            + pictures(case)
            + (f"<p class=label>{'The end of ' * (len(lines) == TAIL)}{link(case['log'], case['log'])}</p>" if case.get("log") else "")
            + (f"<pre>{esc_lines(lines)}</pre>" if lines else "") + "</article>")


def esc_lines(lines):
    return "\n".join(map(esc, lines))


def failures(report, folder):
    """Returns the section with the failures of each suite, each followed by the last lines of its console."""
    failed = [case for case in report.cases if case["outcome"] == "failed"]
    if not failed:
        return ""
    parts, left = ["<h2 id=failures>What failed</h2>"], SHOWN
    for suite in report.distinct_suites():
        mine = [case for case in report.of(suite) if case["outcome"] == "failed"]
        if not mine or not left:
            continue
        parts += [failure(case, folder) for case in mine[:left]]
        left -= len(mine[:left])
        lines = suite["tail"][-TAIL:]
        if lines:
            parts.append(f"<details class=card{' open' * (len(parts) <= 3)}><summary>The end of the console of "
                         f"{esc(suite['suite'])}, {link(suite['log'], suite['log'])}</summary><pre>{esc_lines(lines)}</pre></details>")
    if len(failed) > SHOWN:
        parts.append(f"<p>{len(failed) - SHOWN} more are in the tables below.</p>")
    return "".join(parts)


def console_links(report, suite):
    logs = suite["logs"] if report.parts else [suite["log"]]
    return ", ".join(link(path, path) for path in logs if path)


def suites(report):
    rows = []
    for suite in report.distinct_suites():
        counts = report.counts(report.of(suite))
        told = " ".join(f'<span class="pill {TONES[outcome]}">{count} {outcome}</span>' for outcome, count in counts.items() if count)
        name = "/".join(suite[word] for word in ("board", "series", "suite") if suite[word])
        rows.append(f"<tr><td class=name>{esc(name).replace('/', '/<wbr>')}<td>{told}<td class=n>{lasting(suite['seconds'])}"
                    f"<td class=name>{console_links(report, suite)}")
    return ("<h2>Suites</h2><div class='card wrap'><table><tr><th>suite<th>cases<th class=n>time<th>console" + "\n".join(rows)
            + "</table></div>") if rows else ""


def gallery(report):
    shown = [(case, path) for case in report.cases if case["outcome"] != "failed" for path in case["files"]]
    if not shown:
        return ""
    figures = "".join(figure(path, f"{case['suite']}: {case['case']}") for case, path in shown[:GALLERY])
    return (f"<h2>Pictures</h2><div class=row>{figures}</div>" + (f"<p>{len(shown) - GALLERY} more are in the folder of this page.</p>" if len(shown) > GALLERY else ""))


def row(case):
    seconds = "" if case["seconds"] is None else f"{case['seconds']:.2f} s"
    name = link(case["log"], case["case"]) if case.get("log") else esc(case["case"])
    pill = f'<span class="pill {TONES[case["outcome"]]}">{case["outcome"]}</span>'
    return (f"<tr class={case['outcome']}><td class=state>{pill}<td class=name>{name}"
            f"<td class=why>{esc(case['why'])}<td class=n>{seconds}")


def all_cases(report):
    """Returns a table for each suite, with failures first, then skipped cases."""
    parts = []
    for suite in report.distinct_suites():
        cases = sorted(report.of(suite), key=lambda case: ("failed", "skipped", "passed").index(case["outcome"]))
        name = "/".join(suite[word] for word in ("board", "series", "suite") if suite[word])
        parts.append(f"<details class=card{' open' * (len(cases) <= OPEN)}><summary>{esc(name)}, {many(len(cases), 'case')}</summary>"
                     "<div class=wrap><table>" + "\n".join(map(row, cases)) + "</table></div></details>")
    return "<h2>Cases</h2>" + "".join(parts) if parts else ""


def what_ran(report):
    if not report.parts:
        about = {name: value for name, value in report.about.items() if name != "cause"}  # shown in the header
        return f"<h2>What ran</h2><section class=card>{facts(about, report.qemu)}</section>"
    parts = "".join(f"<details class=card><summary>{esc(part['name'])}: {esc(part.get('verdict', 'no verdict'))}</summary>"
                    f"{facts(part)}</details>" for part in report.parts)
    return f"<h2>What ran</h2><p>QEMU {esc(report.qemu)}, {many(len(report.parts), 'run')}</p>{parts}"


def page(report, folder):
    """Returns the page's text; paths in the report are relative to the folder."""
    counts = report.counts()
    words = verdict_of(report)[0]
    title = f"{words}: {counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped"
    return ('<!DOCTYPE html><html lang=en><head><meta charset=utf-8><meta name=viewport content="width=device-width,initial-scale=1">'
            f"<meta name=color-scheme content=\"light dark\"><title>{esc(title)}</title><style>{STYLE}</style></head><body><main>\n"
            + "\n".join((head(report), failures(report, folder), what_ran(report), suites(report), gallery(report), all_cases(report)))
            + "\n</main></body></html>\n")
