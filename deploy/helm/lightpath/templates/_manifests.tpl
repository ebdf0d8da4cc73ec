{{/*
The text of one manifest of deploy/kubernetes, with the names of this release.
root: the chart's context; file: below deploy/kubernetes; driver: whose manifest it is, if it is a driver's.
*/}}
{{- define "lightpath.text" -}}
{{- $text := .root.Files.Get (printf "kubernetes/%s" .file) -}}
{{- if not $text -}}
{{- fail (printf "the chart has no kubernetes/%s: package it from a whole checkout, with its links" .file) -}}
{{- end -}}
{{- if .driver -}}
{{- $text = regexReplaceAll "(^|[^-/\\w])lightpath-driver\\b" $text (printf "${1}%s" .driver) -}}
{{- end -}}
{{- $text = $text | replace "lightpath-system" "<operator>" -}}
{{- $text = $text | replace "lightpath-drivers" .root.Values.driverNamespace.name -}}
{{- $text = $text | replace "<operator>" .root.Release.Namespace -}}
{{- $text = $text | replace "https://lightpath.example/docs/runbooks" .root.Values.monitoring.runbooks -}}
{{- $text | replace "metadata.name: monitoring" (printf "metadata.name: %s" .root.Values.monitoring.namespace) -}}
{{- end -}}

{{/*
The objects of manifests, as a YAML list.
root, driver: as above; files: below deploy/kubernetes; namespace: of those that have one and do not name it.
*/}}
{{- define "lightpath.objects" -}}
{{- $cluster := list "Namespace" "ClusterRole" "ClusterRoleBinding" "ClusterIssuer" "ValidatingAdmissionPolicy" "ValidatingAdmissionPolicyBinding" -}}
{{- $objects := list -}}
{{- range $file := .files -}}
{{- range regexSplit "(?m)^---$" (include "lightpath.text" (dict "root" $.root "driver" $.driver "file" $file)) -1 -}}
{{- $object := fromYaml . -}}
{{- if $object.Error -}}
{{- fail (printf "kubernetes/%s is not YAML: %s" $file $object.Error) -}}
{{- end -}}
{{- if $object -}}
{{- $_ := set $object.metadata "labels" (merge (dict "app.kubernetes.io/part-of" "lightpath") (default dict $object.metadata.labels)) -}}
{{- if and (not $object.metadata.namespace) (not (has $object.kind $cluster)) -}}
{{- $_ := set $object.metadata "namespace" $.namespace -}}
{{- end -}}
{{- $objects = append $objects $object -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $objects -}}
{{- end -}}

{{/* Has Helm leave an object where it is when the release goes. */}}
{{- define "lightpath.keep" -}}
{{- $_ := set .metadata "annotations" (merge (dict "helm.sh/resource-policy" "keep") (default dict .metadata.annotations)) -}}
{{- end -}}

{{/* The reference of an image. root: the chart's context; name: of the image; settings: with image, if it has one of its own. */}}
{{- define "lightpath.image" -}}
{{- if .settings.image -}}
{{- .settings.image -}}
{{- else -}}
{{- $image := .root.Values.image -}}
{{- with $image.registry }}{{ . }}/{{ end }}{{ .name }}:{{ default .root.Chart.AppVersion $image.tag -}}
{{- end -}}
{{- end -}}

{{/*
Puts settings into the pod of a manifest.
root: the chart's context; pod: its spec, which is changed; name: of the image; settings: of values.yaml.
*/}}
{{- define "lightpath.pod" -}}
{{- $pod := .pod -}}
{{- $settings := .settings -}}
{{- $image := .root.Values.image -}}
{{- $reference := include "lightpath.image" . -}}
{{- range $container := concat (default list $pod.initContainers) $pod.containers -}}
{{- $_ := set $container "image" $reference -}}
{{- if $image.pullPolicy }}{{ $_ := set $container "imagePullPolicy" $image.pullPolicy }}{{ end -}}
{{- end -}}
{{- $main := first $pod.containers -}}
{{- if ne .name "lightpath-emulator" -}}
{{- $told := list -}}
{{- if .root.Values.logs.json }}{{ $told = append $told (dict "name" "LIGHTPATH_LOG_JSON" "value" "true") }}{{ end -}}
{{- if and (eq .name "lightpath-operator") .root.Values.sharedFabrics.enabled -}}
{{- $told = append $told (dict "name" "LIGHTPATH_SHARE_FABRICS" "value" "true") -}}
{{- end -}}
{{- with .root.Values.tracing -}}
{{- if .endpoint -}}
{{- $told = append $told (dict "name" "OTEL_EXPORTER_OTLP_ENDPOINT" "value" .endpoint) -}}
{{- $told = append $told (dict "name" "OTEL_TRACES_SAMPLER" "value" "parentbased_traceidratio") -}}
{{- $told = append $told (dict "name" "OTEL_TRACES_SAMPLER_ARG" "value" (toString .ratio)) -}}
{{- end -}}
{{- end -}}
{{- if $told }}{{ $_ := set $main "env" (concat (default list $main.env) $told) }}{{ end -}}
{{- end -}}
{{- $_ := set $main "resources" (mergeOverwrite $main.resources (deepCopy (default dict $settings.resources))) -}}
{{- if $image.pullSecrets -}}
{{- $secrets := list -}}
{{- range $image.pullSecrets }}{{ $secrets = append $secrets (dict "name" .) }}{{ end -}}
{{- $_ := set $pod "imagePullSecrets" $secrets -}}
{{- end -}}
{{- if $settings.nodeSelector }}{{ $_ := set $pod "nodeSelector" $settings.nodeSelector }}{{ end -}}
{{- if $settings.tolerations }}{{ $_ := set $pod "tolerations" (concat (default list $pod.tolerations) $settings.tolerations) }}{{ end -}}
{{- end -}}
