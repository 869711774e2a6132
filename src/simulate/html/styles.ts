/** Colours by name, once for light and once for dark; every pair of text and ground is AA or better. */
export const LIGHT: string = `
--ground:#f7f8f9;--panel:#fff;--ink:#18202a;--muted:#57626f;--line:#dfe3e8;--soft:#eef1f4;
--accent:#1f5fae;--on:#fff;--grid:#edf0f3;--grid-major:#d5dbe2;--life:#9aa6b3;--crowd:#e8eff8;
--complete:#1f5fae;--failed:#b8380c;--running:#7048c6;--gone:#66717e;--waiting:#66717e;
--first:#1f5fae;--changed:#0a7460;--restored:#b8380c;--replaced:#a3246b;--retried:#855600;
--hook:#6842bd;--schedule:#4d5b6a;--manual:#1d2732;
--warn:#7a4d00;--warn-ground:#fff7e6;--warn-line:#efd9a7;--bad-ground:#fdf0ea;--odd:#a3500a;
--shadow:0 1px 2px rgba(20,30,45,.05),0 10px 30px rgba(20,30,45,.12);--hatch:rgba(255,255,255,.42);
--band:rgba(184,56,12,.07);`

export const DARK: string = `
--ground:#0f1318;--panel:#161b22;--ink:#e7ecf2;--muted:#9aa7b5;--line:#2a323c;--soft:#1e252e;
--accent:#79b4f7;--on:#0c1117;--grid:#1d242d;--grid-major:#333d49;--life:#64717f;--crowd:#1c2a3b;
--complete:#6caef5;--failed:#ff8d5a;--running:#b79df8;--gone:#a3afbc;--waiting:#a3afbc;
--first:#6caef5;--changed:#46c7a8;--restored:#ff8d5a;--replaced:#f38fc6;--retried:#e3b24d;
--hook:#b79df8;--schedule:#aab7c5;--manual:#eef2f6;
--warn:#f2c96d;--warn-ground:#231d10;--warn-line:#4d401d;--bad-ground:#2a1a13;--odd:#f3b06a;
--shadow:0 1px 2px rgba(0,0,0,.4),0 14px 40px rgba(0,0,0,.55);--hatch:rgba(12,17,23,.4);
--band:rgba(255,141,90,.08);`

const OUTCOME_IDS = ['complete', 'failed', 'running', 'gone', 'waiting']
const CAUSE_IDS = 'first changed restored replaced retried hook schedule manual'.split(' ')

/** Tags and keys always wear their own colour, marks that of the chosen half. */
const COLOURS: string = [
  ...OUTCOME_IDS.map((id) => `.o-${id}{--o:var(--${id})}`),
  ...CAUSE_IDS.map((id) => `.c-${id}{--c:var(--${id})}`),
].join('')

const PAGE = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 Inter,ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Liberation Sans",sans-serif;font-variant-numeric:tabular-nums}
code,kbd,.mono{font-family:ui-monospace,"SF Mono",SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.92em;overflow-wrap:anywhere}
kbd{border:1px solid var(--line);border-radius:4px;padding:0 4px;background:var(--soft)}
header,main,footer,.tabs{max-width:1680px;margin:0 auto;padding:0 32px}
header{padding-top:26px;display:grid;grid-template-columns:1fr auto;align-items:center}
.brand{color:var(--muted);font-size:13px}.brand b{color:var(--accent);font-weight:700}
h1{grid-column:1/-1;font-size:28px;line-height:1.2;letter-spacing:-.018em;font-weight:650;margin:14px 0 0;overflow-wrap:anywhere;text-wrap:balance}
h2{font-size:17px;letter-spacing:-.01em;font-weight:650;margin:36px 0 12px}
.tabs+main .meta{margin-top:20px}h2.variant{display:none}.no-script .several h2.variant{display:block}
.meta{margin:8px 0 22px;color:var(--muted);font-size:14px;display:flex;flex-wrap:wrap;gap:2px 22px}.meta b{color:var(--ink);font-weight:600;margin-right:4px}
footer{color:var(--muted);font-size:13px;padding-top:36px;padding-bottom:40px}
.symbols{position:absolute}
.no-script .needs-script{display:none!important}
button{font:inherit;font-size:13px;color:var(--ink);background:var(--panel);border:1px solid var(--line);border-radius:7px;padding:4px 10px;min-height:30px;cursor:pointer}
button:hover{background:var(--soft)}
button[aria-pressed=true]{background:var(--accent);border-color:var(--accent);color:var(--on);font-weight:600}
:focus{outline:none}
:focus-visible{outline:2px solid var(--ink);outline-offset:2px}
.theme{display:flex}.theme button,.segmented button{border-radius:0;margin-left:-1px}
.theme button:first-child,.segmented span+button{border-radius:7px 0 0 7px}.theme button:last-child,.segmented button:last-child{border-radius:0 7px 7px 0}
.theme button[aria-pressed=true]{background:var(--soft);border-color:var(--line);color:var(--ink)}
.tabs{display:flex;gap:4px;margin-top:22px;border-bottom:1px solid var(--line);overflow-x:auto}
.tabs a{color:var(--muted);text-decoration:none;padding:9px 14px;border-bottom:2px solid transparent;white-space:nowrap;font-size:14px}
.tabs a span{font-size:12px;margin-left:6px}
.tabs a[aria-selected=true]{color:var(--ink);border-color:var(--accent);font-weight:600}
.tabs a:focus-visible{outline-offset:-3px}
.report[hidden]{display:none}
`

const SUMMARY = `
.warnings{background:var(--warn-ground);border:1px solid var(--warn-line);border-radius:10px;padding:14px 20px;margin:0 0 22px}
.warnings h2{margin:0;font-size:13px;font-weight:650;color:var(--warn)}
.warnings ul{margin:0;padding:0;list-style:none}.warnings li{padding:8px 0}.warnings li:last-child{padding-bottom:0}.warnings li+li{border-top:1px solid var(--warn-line)}
.warnings p{margin:0;font-size:14px;max-width:110ch;overflow-wrap:anywhere}.warnings .what{font-weight:600}.warnings .remedy{font-weight:600}
.warnings .rest summary{font-size:13px;color:var(--warn)}
.warnings .about{color:var(--muted);font-size:13px;margin-top:2px}.warnings .id{color:var(--warn);margin-right:6px}
.numbers{display:flex;flex-wrap:wrap;gap:14px 44px;margin:0 0 20px}
.number{display:flex;flex-direction:column-reverse;justify-content:flex-end;min-width:64px}
.number dd{margin:0;font-size:34px;line-height:1.1;font-weight:650;letter-spacing:-.025em}
.number dt{color:var(--muted);font-size:13px}
.number.bad dd{color:var(--failed)}.number.odd dd{color:var(--odd)}
.sentences{list-style:none;margin:0;padding:0;border-top:1px solid var(--line);display:grid;grid-template-columns:10px fit-content(360px) 1fr;column-gap:12px}
.sentences li{display:grid;grid-column:1/-1;grid-template-columns:subgrid;align-items:baseline;padding:9px 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
.sentences .flag{width:8px;height:8px;border-radius:50%;background:var(--life);align-self:start;margin-top:.5em}
.sentences .again .flag{background:var(--odd);border-radius:0;transform:rotate(45deg)}
.sentences .failed .flag{background:var(--failed);border-radius:1px}
.sentences .fine .flag{background:var(--complete)}
.sentences .unknown .flag,.sentences .never .flag{background:none;border:2px solid var(--life)}
.sentences .name{color:var(--ink);font-weight:600;text-decoration:none}.sentences .name:hover{text-decoration:underline}
.sentences .level{display:none}
.sentences .sentence{color:var(--ink)}
.rest{margin-top:10px}.rest summary{cursor:pointer;color:var(--accent);font-size:14px;padding:4px 0}
`

const TIMELINE = `
.toolbar{display:flex;flex-wrap:wrap;gap:10px 18px;align-items:center;margin-bottom:12px}
.segmented{display:flex;align-items:center}.segmented span,.search span{color:var(--muted);font-size:13px;margin-right:8px}
.buttons{display:flex;gap:4px;margin-left:auto}.buttons button{min-width:32px}
.search input{font:inherit;font-size:13px;width:min(260px,40vw);height:30px;padding:0 10px;color:var(--ink);background:var(--panel);border:1px solid var(--line);border-radius:7px}
.search input::placeholder{color:var(--muted)}
.keys{color:var(--muted);font-size:12.5px}
.matches{color:var(--muted);font-size:13px;margin-left:-8px}
.legend{display:flex;flex-wrap:wrap;gap:6px 26px;margin-bottom:10px;font-size:13px;color:var(--muted)}
.legend ul{display:flex;flex-wrap:wrap;gap:4px 14px;margin:0;padding:0;list-style:none}
.legend li{display:inline-flex;align-items:center;gap:6px}
.frame{position:relative;background:var(--panel);border:1px solid var(--line);border-radius:10px;--gutter:clamp(160px,22vw,340px)}
.frame:focus-visible{outline-offset:3px}
.row{display:grid;grid-template-columns:var(--gutter) 1fr;position:relative}
.row .label{padding:0 12px 0 16px;min-width:0;display:flex;flex-direction:column;justify-content:center;border-right:1px solid var(--line);line-height:1.25;background:var(--panel);z-index:2}
.label span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.label .name{font-size:13.5px;font-weight:550}.label .note{font-size:11.5px;color:var(--muted)}
.track{display:block;width:100%;overflow:hidden;position:relative}
.axis .track{overflow:visible}
.row.axis{position:sticky;top:0;z-index:5;background:var(--panel);border-bottom:1px solid var(--line);border-radius:10px 10px 0 0}
.row.axis .label{border-radius:10px 0 0 0}
.corner{font-size:11.5px;color:var(--muted)}
.axis text{font-size:12px;fill:var(--muted)}.axis text.when{fill:var(--ink)}.axis text.when.major{font-weight:650}.axis text.offset{font-size:11px}
.tick,.grid{stroke:var(--grid-major);stroke-width:1;shape-rendering:crispEdges}.grid{stroke:var(--grid)}.grid.major{stroke:var(--grid-major)}
.pane{overflow:auto;overscroll-behavior:contain;scrollbar-width:thin;scrollbar-gutter:auto}
.pane.lanes{max-height:min(66vh,900px)}.pane.events{max-height:min(32vh,360px);border-top:1px solid var(--grid-major)}
.rows{position:relative;touch-action:pan-y}
.backdrop{position:absolute;left:var(--gutter);top:0;width:calc(100% - var(--gutter));height:100%;pointer-events:none}
.band{fill:var(--band)}.bands{fill:url(#banding)}.banding{fill:var(--failed);opacity:.3}
.group>summary{list-style:none;cursor:pointer;min-height:30px}.group>summary::-webkit-details-marker{display:none}
.group>summary .label{position:relative;padding-left:30px}
.group>summary .label::before{content:"";position:absolute;left:15px;top:50%;width:6px;height:6px;border:solid var(--muted);border-width:0 1.5px 1.5px 0;transform:translateY(-65%) rotate(45deg)}
.group:not([open])>summary .label::before{transform:translateY(-50%) rotate(-45deg)}
.group>summary .label{flex-direction:row;justify-content:flex-start;gap:8px;align-items:baseline;align-content:center;flex-wrap:wrap;padding-top:5px;padding-bottom:5px;column-gap:8px;row-gap:0}
.group>summary .name{font-size:12px;font-weight:600;color:var(--muted);white-space:normal;overflow-wrap:anywhere}
.group[open]>summary .track{visibility:hidden}.group>summary .track{align-self:center}
.group>summary:focus-visible{outline-offset:-2px}
.group.headless>summary{display:none}
.group+.group>summary{border-top:1px solid var(--line)}
.row.lane .label{padding-left:30px}.headless .row.lane .label{padding-left:16px}
.row.lane:hover,.row.event:hover{background:color-mix(in srgb,var(--soft) 55%,transparent)}
.row.lane.found .label{background:var(--soft)}
.row[hidden],.group[hidden]{display:none}
.row.event .label .name{font-size:12.5px;font-weight:500;color:var(--muted)}
.suspended{fill:url(#resting);stroke:var(--grid-major);stroke-width:1}.resting{fill:var(--life);opacity:.35}
.life{stroke:var(--life);stroke-width:2}.life.end{stroke-width:1.5}
.mark,.sig{cursor:pointer;outline:none}
.by-outcome .mark,.by-outcome .bin,.key,.overview .bin,.group>summary .bin{--m:var(--o,var(--c))}
.by-cause .mark,.by-cause .bins .bin{--m:var(--c,var(--o))}
.mark .face,.mark .bar,.key .face{fill:var(--m)}
.mark .bar{opacity:.94}.mark .badge{overflow:visible}
.mark .face{stroke:var(--panel);stroke-width:1.5;paint-order:stroke}
.bin{fill:var(--m)}
.sign,.mark .sign,.key .sign{color:var(--on)}
.line{fill:none;stroke:currentColor;stroke-width:2.2;stroke-linecap:round;stroke-linejoin:round}.solid{fill:currentColor}
.letter{font-size:11px;font-weight:700;fill:var(--on);text-anchor:middle}
.by-outcome .mark .letter,.by-cause .mark .sign{display:none}
.by-outcome .bins.causes,.by-cause .bins.outcomes{display:none}
.by-outcome .legend .causes,.by-cause .legend .outcomes{display:none}
.by-outcome .mark.o-waiting .face,.by-outcome .mark.o-gone .face,.key.o-waiting .face,.key.o-gone .face{fill:var(--panel);stroke:var(--m);stroke-width:1.6;paint-order:normal}
.by-outcome .mark.o-waiting .face,.key.o-waiting .face{stroke-dasharray:3 2}
.by-outcome .mark.o-waiting .sign,.by-outcome .mark.o-gone .sign,.key.o-waiting .sign,.key.o-gone .sign{color:var(--m)}
.by-outcome .mark.o-gone .bar{fill:none;stroke:var(--m);stroke-width:1.5;stroke-dasharray:4 3}
.flaw{display:none;fill:var(--failed);stroke:var(--panel);stroke-width:1.5}.by-cause .flaw{display:block}
.hatch{fill:url(#hatching);pointer-events:none}.hatching{fill:var(--hatch)}
.crowd .face{fill:var(--crowd);stroke:var(--life);stroke-width:1}
.number{fill:var(--ink)}text.number{font-size:11px;font-weight:650;text-anchor:middle}
.sig text.number{font-size:10px;fill:var(--muted);text-anchor:start}
.ring{fill:none;stroke:none}
.mark:hover .ring,.sig:hover .ring{stroke:var(--muted);stroke-width:1.5}
.mark:focus .ring,.sig:focus .ring,.mark.on .ring,.sig.on .ring{stroke:var(--ink);stroke-width:2.2}
.empty{font-size:12px;fill:var(--muted);font-style:italic}
.round,.stroke{stroke:var(--muted);stroke-width:1.2;fill:none}.block{fill:var(--muted);opacity:.42}
.sig,.key{--e:var(--gone)}.e-commit,.e-request{--e:var(--ink)}.e-sync,.e-created{--e:var(--complete)}
.e-refused,.e-failed,.e-outage{--e:var(--failed)}.e-drift{--e:var(--retried)}.e-deleted,.e-pruned,.e-note,.e-round{--e:var(--gone)}
.fill{fill:var(--e)}.cut{fill:none;stroke:var(--panel);stroke-width:1.7;stroke-linecap:round}
.sig .badge{overflow:visible}.stretch{fill:var(--e);opacity:.16}.span{fill:var(--e);opacity:.75}
.overview{border-top:1px solid var(--line)}.overview .label{color:var(--muted);font-size:11.5px;border-radius:0 0 0 10px}
.overview .track{height:34px;background:var(--soft);border-radius:0 0 10px 0;cursor:crosshair;touch-action:none;overflow:hidden}
.brush{position:absolute;top:0;bottom:0;border:1.5px solid var(--accent);border-radius:4px;background:color-mix(in srgb,var(--accent) 11%,transparent);cursor:grab}
.brush.whole{background:none;border-color:transparent}
.brush i{position:absolute;top:0;bottom:0;width:8px;cursor:ew-resize}.brush i:first-child{left:-3px}.brush i:last-child{right:-3px}
.links{position:absolute;inset:0;width:100%;height:100%;pointer-events:none;z-index:4;overflow:visible}
.links path{fill:none;stroke:var(--ink);stroke-width:1.3;opacity:.75}.links .at{stroke-dasharray:2 3;opacity:.4}.links circle{fill:var(--ink)}
.dragging{cursor:grabbing;user-select:none}.dragging *{cursor:grabbing}
`

const CARD = `
.card{position:absolute;z-index:10;width:min(430px,calc(100vw - 48px));max-height:min(76vh,620px);overflow:auto;background:var(--panel);border:1px solid var(--line);border-radius:12px;box-shadow:var(--shadow);padding:14px 18px 16px;font-size:13.5px;pointer-events:none}
.card.pinned{pointer-events:auto;border-color:var(--muted)}
.card[hidden]{display:none}
.card h3{margin:1px 0 8px;font-size:15.5px;letter-spacing:-.01em;overflow-wrap:anywhere;padding-right:26px}
.card h4{margin:14px 0 6px;font-size:12.5px;font-weight:650;color:var(--muted)}
.card p{margin:0}.kicker{color:var(--muted);font-size:12px}
.card .close{position:absolute;right:10px;top:10px;min-height:26px;padding:0 8px;border-color:transparent;background:none;font-size:16px;line-height:1}
.card:not(.pinned) .close{display:none}
.tags{display:flex;flex-wrap:wrap;gap:6px;align-items:center}
.tag{display:inline-flex;align-items:center;gap:5px;font-size:12px;font-weight:600;color:var(--t);border:1.3px solid var(--t);border-radius:6px;padding:0 7px 0 5px;line-height:20px;white-space:nowrap;--t:var(--o,var(--c))}
.tag .sign{color:var(--t)}.tag b{font-size:11px}
.hint{color:var(--muted);font-size:12.5px}
.card dl{display:grid;grid-template-columns:auto 1fr;gap:2px 14px;margin:12px 0 0}.card dt{color:var(--muted)}.card dd{margin:0;overflow-wrap:anywhere}
.card .offset,.runs .offset{color:var(--muted);font-size:.92em;margin-left:4px}
.chain{list-style:none;margin:0;padding:0}
.step{position:relative;padding:0 0 9px 20px;overflow-wrap:anywhere}
.step::before{content:"";position:absolute;left:3px;top:6px;width:7px;height:7px;border-radius:50%;border:1.8px solid var(--muted);background:var(--panel)}
.step::after{content:"";position:absolute;left:7px;top:17px;bottom:-4px;width:1.5px;background:var(--line)}.step:last-child::after{display:none}
.step:last-child{padding-bottom:0}
.step.trigger::before{border-color:var(--accent)}.step.effect::before{background:var(--ink);border-color:var(--ink)}
.role{display:inline-block;color:var(--muted);font-size:11.5px;margin-right:7px}
.by{display:block;color:var(--muted);font-size:12px}
.rule{color:var(--accent)}.unconfirmed{color:var(--warn);border:1px solid var(--warn-line);background:var(--warn-ground);border-radius:4px;padding:0 4px;font-size:11px}
`

const TABLE = `
.runs{overflow-x:auto;background:var(--panel);border:1px solid var(--line);border-radius:10px}
table{border-collapse:collapse;width:100%;font-size:13.5px}
th,td{text-align:left;padding:8px 14px;vertical-align:top;border-bottom:1px solid var(--line)}
tbody tr:last-child>*{border-bottom:0}
thead th{font-size:12px;font-weight:600;color:var(--muted);white-space:nowrap;padding:6px 14px;vertical-align:middle}
thead button{border:0;background:none;padding:0 4px;margin-left:-4px;font-weight:600;font-size:12px;color:inherit;min-height:26px}
thead button::after{content:"";display:inline-block;width:10px;margin-left:4px}
[aria-sort=ascending] button::after{content:"↑"}[aria-sort=descending] button::after{content:"↓"}
.runs .name{color:var(--ink);text-decoration:none}.runs .name:hover{text-decoration:underline}
tbody th{font-weight:600;overflow-wrap:break-word;max-width:340px}.nowrap{white-space:nowrap}
.why{min-width:260px;overflow-wrap:anywhere}.why .link+.link::before{content:"→ ";color:var(--muted)}
.more{margin:0;padding:9px 14px;color:var(--muted);font-size:13px}.more:empty{display:none}.more button{margin-left:8px}
tr.on>*{background:var(--soft)}
`

const NARROW = `
@media screen and (max-width:900px){header,main,footer,.tabs{padding-left:18px;padding-right:18px}.numbers{gap:12px 28px}.number dd{font-size:28px}
.row .label{padding-left:10px;padding-right:8px}.row.lane .label,.group>summary .label{padding-left:20px}.group>summary .label::before{left:8px}
.sentences{grid-template-columns:10px 1fr}.sentences .sentence{grid-column:2}.buttons{margin-left:0}.keys{display:none}
.runs table{font-size:13px}.runs th,.runs td{padding:7px 9px}.runs td:first-child{white-space:normal;min-width:96px}.why{min-width:200px}}
@media(prefers-reduced-motion:no-preference){.card{animation:show .08s ease-out}@keyframes show{from{opacity:0}}}
@media(forced-colors:active){.mark .face,.mark .bar,.bin{forced-color-adjust:none}}
`

const PRINT = `
@page{size:A4 landscape;margin:11mm}
@media print{:root:root{${LIGHT}--ground:#fff;color-scheme:light}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
body{font-size:10.5px;background:#fff}header,main,footer,.tabs{max-width:none;padding-left:0;padding-right:0}
.needs-script,.toolbar,.theme,.links,.card,.close,.tabs,thead button::after{display:none!important}
.report,.report[hidden]{display:block!important}.report+.report{break-before:page}
header{padding-top:0}h1{font-size:19px;margin-top:4px}h2{font-size:13px;margin:14px 0 6px}.meta{font-size:10.5px;margin:4px 0 10px}
.number dd{font-size:20px}.number dt,.legend,.warnings p,.warnings .about{font-size:10px}.numbers{margin-bottom:8px}.sentences li{padding:3px 0}
.pane{max-height:none!important;overflow:visible}.row.axis{position:static}.frame{--gutter:250px;border-radius:0;zoom:.74;margin-right:1px}.timeline{break-inside:avoid}h2{break-after:avoid}.several h2.variant{display:block}.warnings h2{font-size:11px}.unconfirmed,.tag b{font-size:8.5px}
.row{break-inside:avoid}.legend .causes{display:flex!important}
.runs{overflow:visible;border:0}table{font-size:9.5px}th,td,thead th{padding:3px 6px}thead th,thead button{font-size:9px;min-height:0}tr{break-inside:avoid}thead{display:table-header-group}
.tag{font-size:9px;line-height:14px}.why{min-width:0}a{color:inherit;text-decoration:none}footer{padding:10px 0 0;font-size:9.5px}}
`

/** The style sheet of the report: light, dark by the system or by choice, and paper. */
export const pageStyles: string = [
  `:root{${LIGHT}color-scheme:light dark}`,
  `@media(prefers-color-scheme:dark){:root:not([data-theme=light]){${DARK}}}`,
  `:root[data-theme=dark]{${DARK}color-scheme:dark}:root[data-theme=light]{color-scheme:light}`,
  COLOURS,
  PAGE,
  SUMMARY,
  TIMELINE,
  CARD,
  TABLE,
  NARROW,
  PRINT,
]
  .join('')
  .replaceAll('\n', '')
