{{- /* Why the API server would refuse a schedule: text; out.v is empty when it takes it. */ -}}
{{- define "semel-jobs.cron" -}}
{{- $out := .out -}}
{{- $_ := set $out "v" "" -}}
{{- if hasPrefix "@" .text -}}
  {{- $known := list "@yearly" "@annually" "@monthly" "@weekly" "@daily" "@midnight" "@hourly" -}}
  {{- if has .text $known -}}
  {{- else if hasPrefix "@every " .text -}}
    {{- $period := trimPrefix "@every " .text -}}
    {{- if not (regexMatch "^[-+]?(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$" $period) -}}
      {{- $_ := set $out "v" (printf "%s is no duration (write 90s, 15m or 1h30m)" $period) -}}
    {{- end -}}
  {{- else -}}{{- $_ := set $out "v" (printf "%s is no descriptor of Kubernetes" .text) -}}{{- end -}}
{{- else -}}
  {{- $fields := regexFindAll "[^\\t\\n\\v\\f\\r \\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}]+" .text -1 -}}
  {{- if eq (len $fields) 0 -}}{{- $_ := set $out "v" "it is empty" -}}
  {{- else if ne (len $fields) 5 -}}
    {{- $_ := set $out "v" (printf "it has %d fields instead of 5 (minute, hour, day, month, weekday)" (len $fields)) -}}
  {{- else -}}
    {{- $months := splitList " " "jan feb mar apr may jun jul aug sep oct nov dec" -}}
    {{- $weekdays := splitList " " "sun mon tue wed thu fri sat" -}}
    {{- $bounds := list (dict "name" "minute" "min" 0 "max" 59 "names" list) (dict "name" "hour" "min" 0 "max" 23 "names" list) (dict "name" "day of month" "min" 1 "max" 31 "names" list) (dict "name" "month" "min" 1 "max" 12 "names" $months) (dict "name" "weekday" "min" 0 "max" 6 "names" $weekdays) -}}
    {{- range $index, $field := $fields -}}
      {{- $bound := index $bounds $index -}}
      {{- range regexFindAll "[^,]+" $field -1 -}}
        {{- if not $out.v -}}
          {{- $why := dict -}}
          {{- template "semel-jobs.cronRange" (dict "text" . "bound" $bound "out" $why) -}}
          {{- if $why.v -}}{{- $_ := set $out "v" (printf "%s in the field %s %s" . $bound.name $why.v) -}}{{- end -}}
        {{- end -}}
      {{- end -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- end -}}

{{- /* `*`, `5`, `1-5`, `mon-fri`, each with a step: text, bound; out.v. */ -}}
{{- define "semel-jobs.cronRange" -}}
{{- $bound := .bound -}}
{{- $parts := splitList "/" .text -}}
{{- $ends := splitList "-" (first $parts) -}}
{{- $isStar := has (first $ends) (list "*" "?") -}}
{{- $from := dict "n" $bound.min "why" "" -}}
{{- $to := dict "n" $bound.max "why" "" -}}
{{- $step := dict "n" 1 "why" "" -}}
{{- if not $isStar -}}
  {{- template "semel-jobs.cronNumber" (dict "text" (first $ends) "names" $bound.names "min" $bound.min "out" $from) -}}
  {{- if gt (len $ends) 1 -}}{{- template "semel-jobs.cronNumber" (dict "text" (index $ends 1) "names" $bound.names "min" $bound.min "out" $to) -}}
  {{- else if eq (len $parts) 1 -}}{{- $to = $from -}}{{- end -}}
{{- end -}}
{{- if gt (len $parts) 1 -}}{{- template "semel-jobs.cronNumber" (dict "text" (index $parts 1) "names" list "min" 0 "out" $step) -}}{{- end -}}
{{- $sunday := "" -}}
{{- if and (eq $bound.name "weekday") (or (eq (int64 $from.n) 7) (eq (int64 $to.n) 7)) -}}{{- $sunday = " (Sunday is 0)" -}}{{- end -}}
{{- $why := "" -}}
{{- if and (not $isStar) (gt (len $ends) 2) -}}{{- $why = "has too many hyphens" -}}
{{- else if gt (len $parts) 2 -}}{{- $why = "has too many slashes" -}}
{{- else if $from.why -}}{{- $why = $from.why -}}
{{- else if $to.why -}}{{- $why = $to.why -}}
{{- else if $step.why -}}{{- $why = $step.why -}}
{{- else if lt (int64 $from.n) (int64 $bound.min) -}}{{- $why = printf "is below %d" $bound.min -}}
{{- else if gt (int64 $to.n) (int64 $bound.max) -}}{{- $why = printf "is above %d%s" $bound.max $sunday -}}
{{- else if and (gt (int64 $from.n) (int64 $to.n)) (gt (int64 $from.n) (int64 $bound.max)) -}}{{- $why = printf "is above %d%s" $bound.max $sunday -}}
{{- else if gt (int64 $from.n) (int64 $to.n) -}}{{- $why = "ends before it begins" -}}
{{- else if eq (int64 $step.n) 0 -}}{{- $why = "has the step 0" -}}{{- end -}}
{{- $_ := set .out "v" $why -}}
{{- end -}}

{{- /* text, names, min; out.n or out.why. */ -}}
{{- define "semel-jobs.cronNumber" -}}
{{- $out := .out -}}
{{- $text := .text -}}
{{- $min := .min -}}
{{- $_ := set $out "n" -1 -}}
{{- range $index, $name := .names -}}
  {{- if eq $name (lower $text) -}}{{- $_ := set $out "n" (add $index $min) -}}{{- end -}}
{{- end -}}
{{- if lt (int64 $out.n) 0 -}}
  {{- if eq $text "" -}}{{- $_ := set $out "why" "lacks a number" -}}
  {{- else if regexMatch "^\\+?0*[0-9]{1,18}$" $text -}}
    {{- $digits := regexReplaceAll "^\\+?0*" $text "" | default "0" -}}
    {{- $_ := set $out "n" (int64 $digits) -}}
  {{- else -}}{{- $_ := set $out "why" "is no number" -}}{{- end -}}
{{- end -}}
{{- end -}}
