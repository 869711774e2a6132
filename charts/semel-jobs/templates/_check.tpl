{{- /*
Everything that one value alone can tell: types, names of keys, allowed values, by the table in
_schema.tpl. Goes on after each problem. In: v, path, shape, ctx. Out: out.ok, and out.v, the value
as far as it is right.
*/ -}}
{{- define "semel-jobs.check" -}}
{{- $out := .out -}}
{{- $shape := .shape -}}
{{- $_ := set $out "ok" false -}}
{{- $_ := set $out "v" nil -}}
{{- if kindIs "invalid" .v -}}{{- $_ := set $out "ok" true -}}
{{- else if eq $shape.is "text" -}}{{- template "semel-jobs.checkText" . -}}
{{- else if eq $shape.is "integer" -}}{{- template "semel-jobs.checkInteger" . -}}
{{- else if eq $shape.is "boolean" -}}
  {{- if kindIs "bool" .v -}}{{- $_ := set $out "v" .v -}}{{- $_ := set $out "ok" true -}}
  {{- else -}}{{- template "semel-jobs.wrongType" (dict "wants" $shape.wants "v" .v "path" .path "ctx" .ctx) -}}{{- end -}}
{{- else if eq $shape.is "command" -}}
  {{- if kindIs "slice" .v -}}{{- template "semel-jobs.checkTexts" . -}}
  {{- else -}}{{- template "semel-jobs.checkText" . -}}{{- end -}}
{{- else if eq $shape.is "textList" -}}
  {{- if kindIs "slice" .v -}}{{- template "semel-jobs.checkTexts" . -}}
  {{- else if $shape.orText -}}{{- template "semel-jobs.checkText" . -}}
  {{- else -}}{{- template "semel-jobs.wrongType" (dict "wants" $shape.wants "v" .v "path" .path "ctx" .ctx) -}}{{- end -}}
{{- else if eq $shape.is "wave" -}}
  {{- if and (kindIs "string" .v) (regexMatch "^-?[0-9]+$" (toString .v)) -}}
    {{- $_ := set $out "v" .v -}}{{- $_ := set $out "ok" true -}}
  {{- else -}}{{- template "semel-jobs.checkInteger" . -}}{{- end -}}
{{- else if eq $shape.is "flags" -}}
  {{- if kindIs "bool" .v -}}{{- $_ := set $out "v" .v -}}{{- $_ := set $out "ok" true -}}
  {{- else -}}{{- template "semel-jobs.checkMap" (dict "of" (dict "is" "boolean" "wants" "true or false") "wants" $shape.wants "v" .v "path" .path "ctx" .ctx "shape" .shape "out" .out) -}}{{- end -}}
{{- else if eq $shape.is "env" -}}
  {{- template "semel-jobs.checkMap" (dict "of" (dict "is" "variable") "wants" "a mapping of names to variables" "v" .v "path" .path "ctx" .ctx "shape" .shape "out" .out) -}}
{{- else if eq $shape.is "variable" -}}{{- template "semel-jobs.checkVariable" . -}}
{{- else if eq $shape.is "map" -}}
  {{- template "semel-jobs.checkMap" (dict "of" $shape.of "wants" "a mapping" "v" .v "path" .path "ctx" .ctx "shape" .shape "out" .out) -}}
{{- else if eq $shape.is "fields" -}}{{- template "semel-jobs.checkFields" . -}}
{{- else -}}{{- template "semel-jobs.checkKubernetes" . -}}
{{- end -}}
{{- end -}}

{{- define "semel-jobs.checkText" -}}
{{- $shape := .shape -}}
{{- if or (kindIs "bool" .v) (kindIs "float64" .v) -}}
  {{- $kind := ternary "the boolean" "the number" (kindIs "bool" .v) -}}
  {{- $text := printf "must be %s, is %s %s" $shape.wants $kind (toRawJson .v) -}}
  {{- template "semel-jobs.note" (dict "ctx" .ctx "code" "JG116" "path" .path "text" $text "remedy" "put it into quotes, as it is written there") -}}
{{- else if not (kindIs "string" .v) -}}
  {{- template "semel-jobs.wrongType" (dict "wants" $shape.wants "v" .v "path" .path "ctx" .ctx) -}}
{{- else if or (not $shape.oneOf) (has .v ($shape.oneOf | default list)) -}}
  {{- $_ := set .out "v" .v -}}{{- $_ := set .out "ok" true -}}
{{- else -}}
  {{- $meant := dict -}}
  {{- template "semel-jobs.nearest" (dict "word" .v "candidates" $shape.oneOf "out" $meant) -}}
  {{- $hint := ternary (printf ". Did you mean %s?" $meant.v) "" (ne $meant.v "") -}}
  {{- $text := printf "must be %s, is %s%s" $shape.wants (include "semel-jobs.shown" .v) $hint -}}
  {{- $remedy := printf "write %s, or leave it out" ($meant.v | default (first $shape.oneOf)) -}}
  {{- template "semel-jobs.note" (dict "ctx" .ctx "code" "JG104" "path" .path "text" $text "remedy" $remedy) -}}
{{- end -}}
{{- end -}}

{{- define "semel-jobs.checkTexts" -}}
{{- $it := . -}}
{{- $kept := list -}}
{{- $inner := dict -}}
{{- range $index, $item := .v -}}
  {{- $one := dict "v" $item "path" (append $it.path $index) "shape" (dict "is" "text" "wants" "text") "ctx" $it.ctx "out" $inner -}}
  {{- $_ := set $inner "ok" false -}}
  {{- if kindIs "invalid" $item -}}{{- template "semel-jobs.wrongType" (dict "wants" "text" "v" $one.v "path" $one.path "ctx" $one.ctx) -}}
  {{- else -}}{{- template "semel-jobs.checkText" $one -}}{{- end -}}
  {{- if $inner.ok -}}{{- $kept = append $kept $inner.v -}}{{- end -}}
{{- end -}}
{{- $_ := set .out "v" $kept -}}{{- $_ := set .out "ok" true -}}
{{- end -}}

{{- /* Numbers that have one form everywhere: whole, and within 2^53. */ -}}
{{- define "semel-jobs.isWhole" -}}
{{- if kindIs "float64" . -}}
  {{- if and (eq (floor .) .) (le . 9007199254740991.0) (ge . -9007199254740991.0) -}}true{{- end -}}
{{- end -}}
{{- end -}}

{{- define "semel-jobs.checkInteger" -}}
{{- $isWhole := eq (include "semel-jobs.isWhole" .v) "true" -}}
{{- if and $isWhole (hasKey .shape "least") -}}{{- $isWhole = ge .v .shape.least -}}{{- end -}}
{{- if $isWhole -}}{{- $_ := set .out "v" (int64 .v) -}}{{- $_ := set .out "ok" true -}}
{{- else -}}{{- template "semel-jobs.wrongType" (dict "wants" .shape.wants "v" .v "path" .path "ctx" .ctx) -}}{{- end -}}
{{- end -}}

{{- define "semel-jobs.checkVariable" -}}
{{- if not (kindIs "map" .v) -}}
  {{- template "semel-jobs.checkText" (dict "shape" (dict "is" "text" "wants" "text") "v" .v "path" .path "ctx" .ctx "out" .out) -}}
{{- else -}}
  {{- $given := list -}}
  {{- range $key, $value := .v -}}{{- if not (kindIs "invalid" $value) -}}{{- $given = append $given $key -}}{{- end -}}{{- end -}}
  {{- $others := without $given "value" "valueFrom" -}}
  {{- $both := and (has "value" $given) (has "valueFrom" $given) -}}
  {{- if or (gt (len $others) 0) $both (eq (len $given) 0) -}}
    {{- $found := "has none" -}}
    {{- if $both -}}{{- $found = "has both" -}}
    {{- else if gt (len $others) 0 -}}{{- $found = printf "has '%s'" (join "', '" $others) -}}{{- end -}}
    {{- $text := printf "a variable has exactly one of value and valueFrom, and this one %s" $found -}}
    {{- template "semel-jobs.note" (dict "ctx" .ctx "code" "JG117" "path" .path "text" $text "remedy" "write NAME: \"text\", or NAME: {valueFrom: {...}}") -}}
  {{- else if has "value" $given -}}
    {{- template "semel-jobs.checkText" (dict "v" .v.value "path" (append .path "value") "shape" (dict "is" "text" "wants" "text") "ctx" .ctx "out" .out) -}}
  {{- else -}}
    {{- $inner := dict "ok" false -}}
    {{- template "semel-jobs.checkKubernetes" (dict "v" .v.valueFrom "path" (append .path "valueFrom") "shape" (dict "type" "object" "wants" "a mapping") "ctx" .ctx "out" $inner) -}}
    {{- if $inner.ok -}}{{- $_ := set .out "v" (dict "valueFrom" $inner.v) -}}{{- $_ := set .out "ok" true -}}{{- end -}}
  {{- end -}}
{{- end -}}
{{- end -}}

{{- define "semel-jobs.checkMap" -}}
{{- $it := . -}}
{{- if not (kindIs "map" .v) -}}{{- template "semel-jobs.wrongType" . -}}
{{- else -}}
  {{- $kept := dict -}}
  {{- $inner := dict -}}
  {{- range $key, $value := .v -}}
    {{- $path := append $it.path $key -}}
    {{- template "semel-jobs.key" (dict "ctx" $it.ctx "key" $key "path" $path) -}}
    {{- if and $it.shape.dnsNames (not (kindIs "invalid" $value)) (ne (include "semel-jobs.isLabel" $key) "true") -}}
      {{- $text := printf "'%s' is no DNS-1123 label" $key -}}
      {{- template "semel-jobs.note" (dict "ctx" $it.ctx "code" "JG103" "path" $path "text" $text "remedy" "use at most 63 of a-z, 0-9 and -, with a letter or digit at both ends") -}}
    {{- end -}}
    {{- template "semel-jobs.check" (dict "v" $value "path" $path "shape" $it.of "ctx" $it.ctx "out" $inner) -}}
    {{- if $inner.ok -}}{{- $_ := set $kept $key $inner.v -}}{{- end -}}
  {{- end -}}
  {{- $_ := set .out "v" $kept -}}{{- $_ := set .out "ok" true -}}
{{- end -}}
{{- end -}}

{{- define "semel-jobs.checkFields" -}}
{{- $it := . -}}
{{- if not (kindIs "map" .v) -}}{{- template "semel-jobs.wrongType" (dict "wants" "a mapping" "v" .v "path" .path "ctx" .ctx) -}}
{{- else -}}
  {{- $kept := dict -}}
  {{- $inner := dict -}}
  {{- range $key, $value := .v -}}
    {{- $path := append $it.path $key -}}
    {{- if hasKey $it.shape.fields $key -}}
      {{- template "semel-jobs.check" (dict "v" $value "path" $path "shape" (index $it.shape.fields $key) "ctx" $it.ctx "out" $inner) -}}
      {{- if $inner.ok -}}{{- $_ := set $kept $key $inner.v -}}{{- end -}}
    {{- else if not $it.shape.open -}}
      {{- template "semel-jobs.unknownKey" (dict "key" $key "path" $path "names" $it.shape.names "ctx" $it.ctx) -}}
    {{- end -}}
  {{- end -}}
  {{- $_ := set .out "v" $kept -}}{{- $_ := set .out "ok" true -}}
{{- end -}}
{{- end -}}

{{- define "semel-jobs.unknownKey" -}}
{{- $isTop := eq (len .path) 1 -}}
{{- $shared := .ctx.sharedValues -}}
{{- $meant := dict -}}
{{- template "semel-jobs.nearest" (dict "word" .key "candidates" .names "out" $meant) -}}
{{- if not (and $isTop $shared (ne $meant.v "jobGroups")) -}}
  {{- $inGroups := eq (toString (first .path)) "jobGroups" -}}
  {{- $isGroup := and $inGroups (eq (len .path) 3) -}}
  {{- $isJob := false -}}
  {{- if and $inGroups (eq (len .path) 5) -}}{{- $isJob = eq (toString (index .path 2)) "jobs" -}}{{- end -}}
  {{- $elsewhere := "" -}}
  {{- if and $isGroup (eq .key "adoptName") -}}{{- $elsewhere = "write it on the job, since every object has its own name" -}}
  {{- else if and $isJob (has .key (list "kind" "jobs")) -}}{{- $elsewhere = printf "write it on the group: %s is a key of groups" .key -}}
  {{- else if and (or $isGroup $isJob) (has .key .ctx.rootNames) -}}{{- $elsewhere = "write it at the top of the values" -}}{{- end -}}
  {{- $remedy := $elsewhere -}}
  {{- if eq $remedy "" -}}{{- $remedy = ternary (printf "write %s" $meant.v) "remove it" (ne $meant.v "") -}}{{- end -}}
  {{- if and $isTop (not $shared) -}}{{- $remedy = printf "%s, or say --shared-values when the file has other readers" $remedy -}}{{- end -}}
  {{- $hint := ternary (printf ". Did you mean %s?" $meant.v) "" (and (eq $elsewhere "") (ne $meant.v "")) -}}
  {{- $text := printf "unknown key '%s'%s" .key $hint -}}
  {{- template "semel-jobs.note" (dict "ctx" .ctx "code" "JG102" "path" .path "text" $text "remedy" $remedy) -}}
{{- end -}}
{{- end -}}

{{- define "semel-jobs.checkKubernetes" -}}
{{- $it := . -}}
{{- if eq .shape.type "list" -}}
  {{- if not (kindIs "slice" .v) -}}{{- template "semel-jobs.wrongType" (dict "wants" .shape.wants "v" .v "path" .path "ctx" .ctx) -}}
  {{- else -}}
    {{- $kept := list -}}
    {{- $inner := dict -}}
    {{- range $index, $item := .v -}}
      {{- $one := dict "v" $item "path" (append $it.path $index) "ctx" $it.ctx "out" $inner -}}
      {{- if kindIs "map" $item -}}
        {{- template "semel-jobs.plain" $one -}}
        {{- if $inner.ok -}}{{- $kept = append $kept $inner.v -}}{{- end -}}
      {{- else -}}{{- template "semel-jobs.wrongType" (dict "wants" "a mapping" "v" $one.v "path" $one.path "ctx" $one.ctx) -}}{{- end -}}
    {{- end -}}
    {{- $_ := set .out "v" $kept -}}{{- $_ := set .out "ok" true -}}
  {{- end -}}
{{- else if not (kindIs "map" .v) -}}{{- template "semel-jobs.wrongType" (dict "wants" .shape.wants "v" .v "path" .path "ctx" .ctx) -}}
{{- else -}}
  {{- with .shape.without -}}
    {{- if hasKey $it.v . -}}
      {{- template "semel-jobs.note" (dict "ctx" $it.ctx "code" "JG102" "path" (append $it.path .) "text" (printf "unknown key '%s'" .) "remedy" "remove it: the key above is the name") -}}
    {{- end -}}
  {{- end -}}
  {{- template "semel-jobs.plain" . -}}
{{- end -}}
{{- end -}}

{{- /* What has a canonical form: no fractions, no numbers beyond 2^53. In: v, path, ctx. */ -}}
{{- define "semel-jobs.plain" -}}
{{- $it := . -}}
{{- $_ := set .out "ok" true -}}
{{- $_ := set .out "v" .v -}}
{{- if kindIs "float64" .v -}}
  {{- if eq (include "semel-jobs.isWhole" .v) "true" -}}{{- $_ := set .out "v" (int64 .v) -}}
  {{- else -}}
    {{- $_ := set .out "ok" false -}}
    {{- template "semel-jobs.note" (dict "ctx" .ctx "code" "JG104" "path" .path "text" (printf "must be a whole number or text, is %s" (toRawJson .v)) "remedy" "put it into quotes, as it is written there") -}}
  {{- end -}}
{{- else if kindIs "slice" .v -}}
  {{- $kept := list -}}
  {{- $inner := dict -}}
  {{- range $index, $item := .v -}}
    {{- template "semel-jobs.plain" (dict "v" $item "path" (append $it.path $index) "ctx" $it.ctx "out" $inner) -}}
    {{- if $inner.ok -}}{{- $kept = append $kept $inner.v -}}{{- end -}}
  {{- end -}}
  {{- $_ := set .out "v" $kept -}}
{{- else if kindIs "map" .v -}}
  {{- $kept := dict -}}
  {{- $inner := dict -}}
  {{- range $key, $item := .v -}}
    {{- $path := append $it.path $key -}}
    {{- template "semel-jobs.key" (dict "ctx" $it.ctx "key" $key "path" $path) -}}
    {{- template "semel-jobs.plain" (dict "v" $item "path" $path "ctx" $it.ctx "out" $inner) -}}
    {{- if $inner.ok -}}{{- $_ := set $kept $key $inner.v -}}{{- end -}}
  {{- end -}}
  {{- $_ := set .out "v" $kept -}}
{{- end -}}
{{- end -}}

{{- /* Go sorts by bytes and the canonical form by UTF-16; the two differ beyond U+FFFF only. */ -}}
{{- define "semel-jobs.key" -}}
{{- if regexMatch "[\\x{10000}-\\x{10FFFF}]" .key -}}
  {{- template "semel-jobs.note" (dict "ctx" .ctx "code" "JG104" "path" .path "text" "the chart cannot sort a key with a sign beyond U+FFFF" "remedy" "use another key, or semel render") -}}
{{- end -}}
{{- end -}}

{{- define "semel-jobs.wrongType" -}}
{{- $shown := include "semel-jobs.shown" .v -}}
{{- $kind := "the number" -}}
{{- if kindIs "invalid" .v -}}{{- $kind = "empty" -}}
{{- else if kindIs "slice" .v -}}{{- $kind = "a list" -}}
{{- else if kindIs "map" .v -}}{{- $kind = "a mapping" -}}
{{- else if kindIs "string" .v -}}{{- $kind = "the text" -}}
{{- else if kindIs "bool" .v -}}{{- $kind = "the boolean" -}}{{- end -}}
{{- $text := printf "must be %s, is %s" .wants $kind -}}
{{- if ne $shown "" -}}{{- $text = printf "%s %s" $text $shown -}}{{- end -}}
{{- $isQuoted := and (kindIs "string" .v) (regexMatch "^(true|false|-?[0-9]+)$" (toString .v)) -}}
{{- $isWanted := regexMatch "^(true|a whole number)" .wants -}}
{{- $remedy := printf "write %s, or leave it out" .wants -}}
{{- if eq (len .path) 0 -}}{{- $remedy = "write keys and values" -}}
{{- else if and $isQuoted $isWanted -}}{{- $remedy = "write it without quotes" -}}{{- end -}}
{{- template "semel-jobs.note" (dict "ctx" .ctx "code" "JG104" "path" .path "text" $text "remedy" $remedy) -}}
{{- end -}}

{{- define "semel-jobs.shown" -}}
{{- if not (or (kindIs "invalid" .) (kindIs "slice" .) (kindIs "map" .)) -}}
  {{- $text := ternary (printf "'%s'" (toString .)) (toRawJson .) (kindIs "string" .) -}}
  {{- if regexMatch "^(?s).{61}" $text -}}{{- $text = printf "%s…" (regexFind "^(?s).{59}" $text) -}}{{- end -}}
  {{- $text -}}
{{- end -}}
{{- end -}}
