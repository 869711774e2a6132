{{- /*
The canonical form of plain data: JSON without white space, as ECMAScript writes it, keys sorted.
Go escapes U+2028 and U+2029, and older ones \b and \f as \u0008 and \u000c. A backslash that is
text is kept out of the way meanwhile, as NUL, which no JSON holds.
Keys beyond U+FFFF would be sorted otherwise than in UTF-16; semel-jobs.keys refuses them.
*/ -}}
{{- define "semel-jobs.canonical" -}}
{{- toRawJson . | replace "\\\\" "\x00" | replace "\\u2028" "\u2028" | replace "\\u2029" "\u2029" | replace "\\u0008" "\\b" | replace "\\u000c" "\\f" | replace "\x00" "\\\\" -}}
{{- end -}}

{{- /* Without white space at both ends, by the list that ECMAScript has. */ -}}
{{- define "semel-jobs.trim" -}}
{{- $space := "[\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}]+" -}}
{{- regexReplaceAllLiteral (printf "%s$" $space) (regexReplaceAllLiteral (printf "^%s" $space) . "") "" -}}
{{- end -}}

{{- /* `jobGroups.db.jobs.migrate`, keys with other signs in brackets. */ -}}
{{- define "semel-jobs.path" -}}
{{- $text := "" -}}
{{- range . -}}
  {{- if not (kindIs "string" .) -}}{{- $text = printf "%s[%d]" $text (int64 .) -}}
  {{- else if not (regexMatch "^[A-Za-z0-9_-]+$" .) -}}
    {{- $text = printf "%s[%s]" $text (include "semel-jobs.canonical" .) -}}
  {{- else if eq $text "" -}}{{- $text = . -}}
  {{- else -}}{{- $text = printf "%s.%s" $text . -}}
  {{- end -}}
{{- end -}}
{{- $text | default "values" -}}
{{- end -}}

{{- /* Notes a problem: ctx, code, path (a list), text, remedy. */ -}}
{{- define "semel-jobs.note" -}}
{{- $path := include "semel-jobs.path" .path -}}
{{- $note := dict "code" .code "path" $path "steps" .path "text" .text "remedy" .remedy -}}
{{- $_ := set .ctx "problems" (append .ctx.problems $note) -}}
{{- end -}}

{{- /* Sorted by path, code and text, as lines of `key`: out.list. */ -}}
{{- define "semel-jobs.sorted" -}}
{{- $keyed := dict -}}
{{- range $index, $note := .problems -}}
  {{- $key := printf "%s\x00%s\x00%s\x00%06d" $note.path $note.code $note.text $index -}}
  {{- $_ := set $keyed $key $note -}}
{{- end -}}
{{- $list := list -}}
{{- range keys $keyed | sortAlpha -}}{{- $list = append $list (index $keyed .) -}}{{- end -}}
{{- $_ := set .out "list" $list -}}
{{- end -}}

{{- /* `error JG106: jobGroups.nightly.jobs.report: schedule is required when kind is CronJob` */ -}}
{{- define "semel-jobs.line" -}}
{{- $severity := ternary "warning" "error" (hasPrefix "JG2" .code) -}}
{{- printf "%s %s: %s: %s" $severity .code .path .text -}}
{{- end -}}

{{- /* The candidate that a mistyped word most likely meant: word, candidates; out.v or nothing. */ -}}
{{- define "semel-jobs.nearest" -}}
{{- $word := lower .word -}}
{{- $size := len $word -}}
{{- $best := "" -}}
{{- $least := add1 (max 1 (div $size 3)) -}}
{{- $out := dict -}}
{{- range .candidates -}}
  {{- $other := lower . -}}
  {{- $apart := sub $size (len $other) -}}
  {{- if and (lt $apart $least) (gt $apart (sub 0 $least)) (le $size 80) -}}
    {{- template "semel-jobs.distance" (dict "one" $word "other" $other "out" $out) -}}
    {{- if lt $out.v $least -}}{{- $best = . -}}{{- $least = $out.v -}}{{- end -}}
  {{- end -}}
{{- end -}}
{{- if and (eq $best "") (ge $size 3) -}}
  {{- $longer := list -}}
  {{- range .candidates -}}
    {{- if hasPrefix $word (lower .) -}}{{- $longer = append $longer . -}}{{- end -}}
  {{- end -}}
  {{- if eq (len $longer) 1 -}}{{- $best = first $longer -}}{{- end -}}
{{- end -}}
{{- $_ := set .out "v" $best -}}
{{- end -}}

{{- /* Insertions, deletions, substitutions and swaps of neighbours: one, other; out.v. */ -}}
{{- define "semel-jobs.distance" -}}
{{- $one := splitList "" .one -}}
{{- $other := splitList "" .other -}}
{{- $columns := len $other -}}
{{- $before := list -}}
{{- $previous := list -}}
{{- range $column := untilStep 0 (int (add1 $columns)) 1 -}}{{- $previous = append $previous (int64 $column) -}}{{- end -}}
{{- range $row, $sign := $one -}}
  {{- $current := list (int64 (add1 $row)) -}}
  {{- range $column, $wanted := $other -}}
    {{- $same := eq $sign $wanted -}}
    {{- $cost := min (add1 (index $previous (add1 $column | int))) (add1 (index $current $column)) (add (index $previous $column) (ternary 0 1 $same)) -}}
    {{- if and (gt $row 0) (gt $column 0) -}}
      {{- if and (eq $sign (index $other (sub $column 1 | int))) (eq $wanted (index $one (sub $row 1 | int))) -}}
        {{- $cost = min $cost (add1 (index $before (sub $column 1 | int))) -}}
      {{- end -}}
    {{- end -}}
    {{- $current = append $current $cost -}}
  {{- end -}}
  {{- $before = $previous -}}
  {{- $previous = $current -}}
{{- end -}}
{{- $_ := set .out "v" (last $previous) -}}
{{- end -}}
