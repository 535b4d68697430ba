"""What does a theme not reach? Aligned figures, and the ranked lists that are drawn as HTML."""

STYLE = """<style>
[data-testid="stMain"] { font-variant-numeric: tabular-nums; }
[data-testid="stMainBlockContainer"] { padding: 4.1rem 2.4rem 4rem; max-width: 1320px; }
[data-testid="stMain"] [data-testid="stPageLink"] p { white-space: normal; text-align: left; }
[data-testid="stSidebarUserContent"] h3 { padding: 0 0 .3rem .5rem; }
@media (max-width: 640px) { [data-testid="stMainBlockContainer"] { padding: 3.6rem 1rem 3rem; }
  .st-key-strip { gap: .4rem; }
  .st-key-strip > [class*="st-key-pick_"] { width: 9.2rem !important; min-width: 0; flex: 1 1 8rem; }
  .st-key-strip > .st-key-pick_k { flex: 0 1 5rem; } }
[data-testid="stMainBlockContainer"] h2 { text-wrap: balance; padding: 0.3rem 0; }
[data-testid="stMainBlockContainer"] h3 { padding: 0 0 0.5rem; }
.st-key-swap button p, [class*="st-key-remove_"] button p, [class*="st-key-turn_"] button p { display: none; }
[class*="st-key-link_"] [data-testid="stCode"] div { opacity: 1 !important; visibility: visible; }
[class*="st-key-link_"] pre { overflow: hidden; text-overflow: ellipsis; padding-right: 3rem; }
.st-key-view_only { background: rgba(128,138,150,.13); border-radius: 6px; padding: .1rem .8rem; margin: .4rem 0; }
ol.rd-list { list-style: none; margin: 0 !important; padding: 0 !important; }
.rd-list li { border-top: 1px solid rgba(128,138,150,.28); margin: 0; padding: .45rem .1rem; overflow-wrap: anywhere; }
.rd-row { display: grid; grid-template-columns: 1.9rem 2.2rem minmax(0, 1fr) auto; gap: .5rem; align-items: baseline; }
.rd-rank { text-align: right; opacity: .75; }
.rd-grade { border-radius: 5px; text-align: center; font-weight: 600; font-size: .85rem; padding: .05rem 0; }
.rd-unjudged { border: 1px dashed rgba(128,138,150,.9); }
.rd-zero { background: rgba(128,138,150,.2); }
.rd-g1 { background: rgba(15,118,110,.28); } .rd-g2 { background: rgba(15,118,110,.6); color: #fff; }
.rd-g3 { background: #0f766e; color: #fff; }
.rd-title { font-weight: 600; }
.rd-score { opacity: .75; font-size: .85rem; white-space: nowrap; overflow-wrap: normal; }
.rd-tag { border: 1px solid currentColor; border-radius: .3rem; padding: 0 .3rem; font-size: .75rem; opacity: .85; }
.rd-note { opacity: .8; font-size: .85rem; }
.rd-there { display: inline-block; margin-left: .4rem; font-style: italic; }
.rd-list li.rd-k { border-top: 2px solid currentColor; font-size: .8rem; padding: .15rem .1rem; opacity: .85; }
.rd-list li.rd-gap { text-align: center; opacity: .7; font-size: .85rem; }
.rd-list details { margin: .1rem 0 0 5.1rem; font-size: .87rem; }
.rd-list summary { cursor: pointer; opacity: .8; list-style: none; }
.rd-list summary::after { content: " more"; text-decoration: underline; opacity: .8; }
.rd-list details[open] summary::after { content: " less"; }
.rd-list mark { background: rgba(230,159,0,.28); color: inherit; border-radius: 3px; padding: 0 .1em; }
.rd-alone mark { background: rgba(230,159,0,.28); color: inherit; border-radius: 3px; padding: 0 .1em; }
.rd-text { white-space: pre-wrap; margin: .3rem 0 0; }
.rd-scroll { overflow-x: auto; }
.rd-table { border-collapse: collapse; width: 100%; font-size: .93rem; }
.rd-table th { text-align: left; font-weight: 600; opacity: .8; padding: .25rem .6rem; font-size: .85rem; }
.rd-table td:nth-child(2) { min-width: 11rem; }
.rd-table th:nth-child(n+3), .rd-table .rd-num { text-align: right; white-space: nowrap; }
.rd-table td { border-top: 1px solid rgba(128,138,150,.28); padding: .3rem .6rem; vertical-align: baseline; }
.rd-table td .rd-grade { display: inline-block; min-width: 2rem; } .rd-table caption { text-align: left; opacity: .8; }
.rd-seen { display: grid; font-size: .93rem; margin: .2rem 0 .6rem; }
.rd-seen > div { padding: .1rem .3rem; min-width: 0; }
.rd-seen .rd-words { white-space: pre-wrap; overflow-wrap: anywhere; padding-left: .7rem; }
.rd-seen .rd-band { font-size: .75rem; text-align: center; margin-right: 3px; }
.rd-seen .rd-first { border-top: 2px solid currentColor; } .rd-seen .rd-last { border-bottom: 2px solid currentColor; }
.rd-seen .rd-twice { background-image:
  repeating-linear-gradient(45deg, transparent 0 4px, rgba(128,138,150,.5) 4px 6px); }
.rd-seen u { text-decoration: underline 2px; text-underline-offset: 3px; font-weight: 600; }
.rd-seen .rd-out { text-align: center; opacity: .7; font-size: .85rem; }
.rd-seen .rd-head { font-size: .85rem; text-align: center; }
@media (min-width: 641px) { [class*="st-key-again_"] button p { display: none; } }
@media (max-width: 640px) { .rd-list details { margin-left: 0; } }
</style>"""
