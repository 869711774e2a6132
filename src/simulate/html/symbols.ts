/**
 * The signs of the report, drawn once and used by id: `o-` in a square of 18, `e-` in one of 14.
 * They take the colour of the text around them (`currentColor`).
 */
export const SYMBOLS: string = `<svg class="symbols" width="0" height="0" aria-hidden="true" focusable="false"><defs>
<pattern id="hatching" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatching" width="2.5" height="6"/></pattern>
<pattern id="banding" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="banding" width="1.5" height="9"/></pattern>
<pattern id="resting" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><rect class="resting" width="1.2" height="7"/></pattern>
<g id="o-complete"><path class="line" d="M4.8 9.4l2.9 2.9 5.6-6.2"/></g>
<g id="o-failed"><path class="line" d="M5.2 5.2l7.6 7.6M12.8 5.2l-7.6 7.6"/></g>
<g id="o-running"><path class="solid" d="M6.4 4.6l7 4.4-7 4.4z"/></g>
<g id="o-gone"><path class="line" d="M4.8 9h8.4"/></g>
<g id="o-waiting"><path class="line" d="M6.8 5.6v6.8M11.2 5.6v6.8"/></g>
<g id="e-commit"><path class="fill" d="M7 .6l6.4 6.4-6.4 6.4L.6 7z"/></g>
<g id="e-sync"><circle class="fill" cx="7" cy="7" r="5.6"/><path class="cut" d="M4.2 7.2a2.9 2.9 0 0 1 5.2-1.7M9.8 6.8a2.9 2.9 0 0 1-5.2 1.7"/></g>
<g id="e-round"><path class="stroke" d="M7 2v10"/></g>
<g id="e-request"><path class="fill" d="M2.6 1.4L12.4 7l-9.8 5.6z"/></g>
<g id="e-created"><circle class="fill" cx="7" cy="7" r="5.6"/><path class="cut" d="M7 4.2v5.6M4.2 7h5.6"/></g>
<g id="e-deleted"><circle class="fill" cx="7" cy="7" r="5.6"/><path class="cut" d="M4.2 7h5.6"/></g>
<g id="e-pruned"><rect class="fill" x="1.4" y="1.4" width="11.2" height="11.2" rx="2"/><path class="cut" d="M4.2 7h5.6"/></g>
<g id="e-refused"><path class="fill" d="M4.4.9h5.2l3.5 3.5v5.2l-3.5 3.5H4.4L.9 9.6V4.4z"/><path class="cut" d="M7 3.6v4M7 9.6v1"/></g>
<g id="e-failed"><rect class="fill" x="1.4" y="1.4" width="11.2" height="11.2" rx="2"/><path class="cut" d="M4.6 4.6l4.8 4.8M9.4 4.6L4.6 9.4"/></g>
<g id="e-drift"><path class="fill" d="M7 1.2l6.2 11H.8z"/></g>
<g id="e-outage"><rect class="fill" x="1" y="3" width="12" height="8" rx="2"/></g>
<g id="e-note"><circle class="fill" cx="7" cy="7" r="3.6"/></g>
</defs></svg>`
