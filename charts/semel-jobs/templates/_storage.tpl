{{- /* Volumes of the pod and mounts of its containers: the user's by name, then ConfigMaps: scope; out.volumes, out.mounts. */ -}}
{{- define "semel-jobs.storage" -}}
{{- $scope := .scope -}}
{{- $automatic := dict -}}
{{- template "semel-jobs.automatic" (dict "scope" $scope "out" $automatic) -}}
{{- $of := list $scope.group $scope.job -}}
{{- if eq (toString (index $scope.picked "useRootVolumes")) "true" -}}{{- $of = prepend $of $scope.root -}}{{- end -}}
{{- $levels := dict -}}
{{- $own := dict -}}
{{- $asked := dict -}}
{{- template "semel-jobs.levels" (dict "key" "volumes" "of" $of "out" $levels) -}}
{{- template "semel-jobs.keyed" (dict "levels" $levels.v "out" $own) -}}
{{- template "semel-jobs.levels" (dict "key" "volumeMounts" "of" (list $scope.group $scope.job) "out" $levels) -}}
{{- template "semel-jobs.keyed" (dict "levels" $levels.v "out" $asked) -}}
{{- $volumes := list -}}
{{- $mounts := list -}}
{{- $known := dict -}}
{{- range $name, $source := $own.v -}}
  {{- $_ := set $known $name true -}}
  {{- $named := dict -}}
  {{- template "semel-jobs.named" (dict "name" $name "v" $source "out" $named) -}}
  {{- $volumes = append $volumes $named.v -}}
{{- end -}}
{{- range $automatic.v -}}
  {{- $_ := set $known .volume true -}}
  {{- if hasKey $own.v .volume -}}
    {{- $remedy := printf "rename it, or switch the other off: inherit.configMapMount.%s" .key -}}
    {{- template "semel-jobs.say" (dict "scope" $scope "code" "JG119" "text" (printf "the volume name '%s' is that of an automatic one" .volume) "remedy" $remedy) -}}
  {{- end -}}
  {{- $volumes = append $volumes (dict "name" .volume "configMap" .configMap) -}}
{{- end -}}
{{- $onRoot := $scope.root.volumes | default dict -}}
{{- range $name, $mount := $asked.v -}}
  {{- if not (hasKey $known $name) -}}
    {{- $remedy := ternary "it is a root volume: set useRootVolumes: true" (printf "add volumes.%s, or remove the mount" $name) (hasKey $onRoot $name) -}}
    {{- template "semel-jobs.say" (dict "scope" $scope "code" "JG119" "text" (printf "the mount '%s' names no volume of the pod" $name) "remedy" $remedy) -}}
  {{- end -}}
  {{- $named := dict -}}
  {{- template "semel-jobs.named" (dict "name" $name "v" $mount "out" $named) -}}
  {{- $mounts = append $mounts $named.v -}}
{{- end -}}
{{- range $automatic.v -}}
  {{- $mount := dict "name" .volume "mountPath" .mountPath -}}
  {{- if not .isWritable -}}{{- $_ := set $mount "readOnly" true -}}{{- end -}}
  {{- $mounts = append $mounts $mount -}}
{{- end -}}
{{- $seen := dict -}}
{{- range $mounts -}}
  {{- if kindIs "string" .mountPath -}}
    {{- $path := regexReplaceAll "^((?s).+?)/+$" .mountPath "${1}" -}}
    {{- if hasKey $seen $path -}}
      {{- $text := printf "'%s' and '%s' are both mounted on %s" (index $seen $path) .name .mountPath -}}
      {{- template "semel-jobs.say" (dict "scope" $scope "code" "JG119" "text" $text "remedy" "give one another mountPath, or switch an automatic one off: inherit.configMapMount") -}}
    {{- else -}}{{- $_ := set $seen $path .name -}}{{- end -}}
  {{- end -}}
{{- end -}}
{{- $_ := set .out "volumes" $volumes -}}
{{- $_ := set .out "mounts" $mounts -}}
{{- end -}}

{{- define "semel-jobs.named" -}}
{{- $name := .name -}}
{{- template "semel-jobs.tidy" . -}}
{{- if not (hasKey .out.v "name") -}}{{- $_ := set .out.v "name" $name -}}{{- end -}}
{{- end -}}

{{- /* The enabled entries of configMaps that have a place in the pod: scope; out.v. */ -}}
{{- define "semel-jobs.automatic" -}}
{{- $scope := .scope -}}
{{- $wished := $scope.inherit.configMapMount -}}
{{- $list := list -}}
{{- if ne (toString $wished) "false" -}}
  {{- range $key, $entry := $scope.root.configMaps -}}
    {{- $isOn := and (kindIs "map" $entry) (not (and (kindIs "map" $wished) (eq (toString (index ($wished | default dict) $key)) "false"))) -}}
    {{- if $isOn -}}
      {{- if and (eq (toString (index $entry "enabled")) "true") $entry.mountPath -}}
        {{- $configMap := dict "name" (printf "%s-%s" $scope.full $key) -}}
        {{- if not (kindIs "invalid" (index $entry "defaultMode")) -}}{{- $_ := set $configMap "defaultMode" $entry.defaultMode -}}{{- end -}}
        {{- $isWritable := eq (toString (index $entry "readOnly")) "false" -}}
        {{- $list = append $list (dict "key" $key "volume" (printf "cm-%s" $key) "mountPath" $entry.mountPath "isWritable" $isWritable "configMap" $configMap) -}}
      {{- end -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- $_ := set .out "v" $list -}}
{{- end -}}

{{- /* What a pod reads from outside itself, in whatever way: pod, configMaps, full; out.config, out.external. */ -}}
{{- define "semel-jobs.reads" -}}
{{- $full := .full -}}
{{- $own := dict -}}
{{- range $key, $entry := .configMaps -}}
  {{- if kindIs "map" $entry -}}
    {{- if eq (toString (index $entry "enabled")) "true" -}}
      {{- $tidy := dict -}}
      {{- template "semel-jobs.tidy" (dict "v" ($entry.data | default dict) "out" $tidy) -}}
      {{- $_ := set $own (printf "%s-%s" $full $key) $tidy.v -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- $containers := concat (.pod.initContainers | default list) .pod.containers -}}
{{- $sources := list -}}
{{- range $containers -}}{{- range .envFrom -}}{{- $sources = append $sources . -}}{{- end -}}{{- end -}}
{{- range $containers -}}{{- range .env -}}{{- with .valueFrom -}}{{- $sources = append $sources . -}}{{- end -}}{{- end -}}{{- end -}}
{{- range .pod.volumes -}}
  {{- $sources = append $sources . -}}
  {{- if kindIs "map" .projected -}}
    {{- if kindIs "slice" .projected.sources -}}{{- $sources = concat $sources .projected.sources -}}{{- end -}}
  {{- end -}}
{{- end -}}
{{- $fields := list (list "configMap" "name" "ConfigMap") (list "configMapRef" "name" "ConfigMap") (list "configMapKeyRef" "name" "ConfigMap") (list "secret" "name" "Secret") (list "secret" "secretName" "Secret") (list "secretRef" "name" "Secret") (list "secretKeyRef" "name" "Secret") -}}
{{- $config := dict -}}
{{- $external := list -}}
{{- range $source := $sources -}}
  {{- if kindIs "map" $source -}}
    {{- range $field := $fields -}}
      {{- $at := index $source (index $field 0) -}}
      {{- if kindIs "map" $at -}}
        {{- $name := index $at (index $field 1) -}}
        {{- $kind := index $field 2 -}}
        {{- if kindIs "string" $name -}}
          {{- if and (eq $kind "ConfigMap") (hasKey $own $name) -}}
            {{- $_ := set $config $name (sha256sum (include "semel-jobs.canonical" (index $own $name))) -}}
          {{- else -}}
            {{- $called := printf "%s %s" $kind $name -}}
            {{- if not (has $called $external) -}}{{- $external = append $external $called -}}{{- end -}}
          {{- end -}}
        {{- end -}}
      {{- end -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- $_ := set .out "config" $config -}}
{{- $_ := set .out "external" $external -}}
{{- end -}}
