/**
 * Data colors of the report, the same as those of the dashboard (apps/web/src/styles/tokens.css). A test compares them.
 */
export const COLORS: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  page: ['oklch(0.985 0.002 250)', 'oklch(0.17 0.006 255)'],
  panel: ['oklch(1 0 0)', 'oklch(0.205 0.007 255)'],
  line: ['oklch(0.9 0.004 250)', 'oklch(0.305 0.009 255)'],
  'line-strong': ['oklch(0.64 0.01 250)', 'oklch(0.56 0.012 255)'],
  ink: ['oklch(0.24 0.012 250)', 'oklch(0.94 0.004 255)'],
  'ink-2': ['oklch(0.42 0.012 250)', 'oklch(0.78 0.008 255)'],
  'ink-3': ['oklch(0.51 0.012 250)', 'oklch(0.68 0.01 255)'],
  accent: ['oklch(0.48 0.17 285)', 'oklch(0.76 0.12 285)'],
  grid: ['oklch(0.93 0.003 250)', 'oklch(0.265 0.007 255)'],
  startup: ['oklch(0.955 0.003 250)', 'oklch(0.24 0.007 255)'],
  rdma: ['oklch(0.53 0.14 247)', 'oklch(0.72 0.125 240)'],
  shm: ['oklch(0.62 0.11 210)', 'oklch(0.82 0.11 200)'],
  tcp: ['oklch(0.64 0.16 52)', 'oklch(0.74 0.145 60)'],
  udp: ['oklch(0.6 0.008 250)', 'oklch(0.64 0.008 255)'],
  'cpu-app': ['oklch(0.36 0.07 172)', 'oklch(0.86 0.09 172)'],
  'cpu-nic': ['oklch(0.57 0.1 172)', 'oklch(0.65 0.105 172)'],
  'cpu-kernel': ['oklch(0.78 0.09 172)', 'oklch(0.45 0.075 172)'],
  'cpu-outside': ['oklch(0.89 0.05 172)', 'oklch(0.33 0.045 172)'],
  'series-1': ['oklch(0.5 0.16 300)', 'oklch(0.76 0.13 300)'],
  'series-2': ['oklch(0.52 0.1 125)', 'oklch(0.78 0.13 125)'],
  'series-3': ['oklch(0.45 0.03 250)', 'oklch(0.78 0.02 250)'],
  'series-4': ['oklch(0.48 0.09 55)', 'oklch(0.76 0.09 55)'],
  'error-ink': ['oklch(0.48 0.18 27)', 'oklch(0.76 0.13 25)'],
  'ok-ink': ['oklch(0.44 0.1 155)', 'oklch(0.8 0.12 155)'],
};

const values = (which: 0 | 1): string =>
  Object.entries(COLORS)
    .map(([name, pair]) => `--${name}:${pair[which]}`)
    .join(';');

/** Classes that give a mark of a chart its color. */
const DATA = Object.keys(COLORS).filter((name) => /^(rdma|shm|tcp|udp|cpu-.*|series-.*)$/.test(name));

export const STYLE = `
:root{color-scheme:light dark;${values(0)}}
@media (prefers-color-scheme:dark){:root{${values(1)}}}
@media print{:root{${values(0)}}}
*{box-sizing:border-box}
body{margin:0 auto;padding:2rem 1.25rem 4rem;max-width:64rem;background:var(--page);color:var(--ink);font:14px/1.5 Inter,ui-sans-serif,system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.75rem;line-height:1.2;margin:.25rem 0 .5rem}
h2{font-size:1.25rem;margin:2.25rem 0 .5rem;border-bottom:1px solid var(--line);padding-bottom:.25rem}
h3{font-size:1rem;margin:1.5rem 0 .25rem}
h4{font-size:.9rem;margin:.75rem 0 .25rem}
p{margin:.35rem 0;max-width:76ch}
a{color:var(--accent)}
.answer{font-size:1.1rem;font-weight:600}
.muted,.key,footer{color:var(--ink-2)}
.error{color:var(--error-ink)}
.tag{display:inline-block;unicode-bidi:isolate;border:1px solid var(--line-strong);border-radius:3px;padding:0 .4em;margin-right:.35em;font-size:.8rem}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(11rem,1fr));gap:1rem 2rem;margin:1rem 0}
.figures dt,.small{color:var(--ink-2);font-size:.85rem}
.figures dd{margin:0}
.figures strong{font-size:1.25rem;font-weight:500}
.head{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 .75rem;margin:1.5rem 0 .25rem}
.head h3{margin:0}
.badge{border:1px solid var(--ink-2);border-radius:3px;padding:0 .4em;margin-right:.35em;font-size:.8rem;color:var(--ink-2);white-space:nowrap}
.badge.hardware{background:var(--ink-2);color:var(--page)}
.badge.user-space{border-style:dashed}
.badge.simulated{border-color:var(--line-strong);background:repeating-linear-gradient(135deg,transparent 0 4px,var(--grid) 4px 6px)}
.badge.unknown{border:1px dotted var(--line-strong)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;margin:.5rem 0;font-size:.85rem}
th,td{overflow-wrap:normal;padding:.2rem .9rem .2rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
th{color:var(--ink-2);font-weight:400}
.number{text-align:right}
td.number{white-space:nowrap}
td.words{white-space:normal}
.facts{max-width:76ch}
.facts th{white-space:nowrap}
summary{cursor:pointer;color:var(--ink-2);font-size:.85rem}
.number,.figures strong,code,pre,svg text{font-family:"Geist Mono",ui-monospace,monospace;font-variant-numeric:tabular-nums}
pre{overflow:auto;border-left:2px solid var(--line-strong);padding:.5rem .75rem;background:var(--panel)}
blockquote{margin:.5rem 0;border-left:2px solid var(--line-strong);padding-left:.75rem}
.note{border-left:2px solid var(--line-strong);padding-left:1rem;margin:1rem 0;white-space:pre-line}
.note ul,.note ol,.note table{white-space:normal}
ul.key{display:flex;flex-wrap:wrap;gap:0 1rem;list-style:none;padding:0;margin:.5rem 0 0;font-size:.85rem}
p.key{font-size:.85rem;margin-top:.75rem}
.swatch{width:22px;height:10px;margin-right:.4rem}
figure{margin:0}
figure .recharts-wrapper{width:auto!important;height:auto!important;min-width:34rem;max-width:45rem}
figure svg[role]{height:auto!important}
svg text{font-size:12px;fill:var(--ink-3)}
.line{fill:none;stroke:var(--c);stroke-width:2}
.fill{fill:var(--c);stroke:none}
.passed::before{content:"✓ ";color:var(--ok-ink)}
.failed::before{content:"✗ ";color:var(--error-ink)}
.skipped::before{content:"– "}
.problems{padding-left:1.5rem}
.problems>li{margin:.75rem 0}
.problems strong{color:var(--error-ink);font-weight:600}
.output{max-height:40rem;white-space:pre-wrap}
.checks{list-style:none;padding:0}
.checks li{margin:.4rem 0}
footer{margin-top:3rem;font-size:.85rem}
${DATA.map((name) => `.${name}{--c:var(--${name})}`).join('')}
@page{margin:14mm}
@media print{:root{font-size:11px}body{max-width:none;padding:0;background:#fff;font-size:1rem}th,td{padding-right:.5rem}h2,h3,.head{break-after:avoid}figure,svg,.figures div,.checks li,tr{break-inside:avoid}.scroll{overflow:visible}figure .recharts-wrapper{min-width:0}details{display:none}.output{max-height:none}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}a{color:inherit}}
`.trim();
