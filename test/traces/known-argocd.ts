/** As known.ts, for Argo CD. */
export const knownArgocd: Readonly<Record<string, string>> = {
  'argocd/008-prune-slow-pods':
    'all that Argo CD does agrees; the Job in foreground deletion gets FailureTarget in the model ' +
    'of the Job controller as soon as its pod is being deleted, in the recording it did not (the ' +
    'same as kustomize-controller/032)',
  'argocd/009-hook-replaced-slow-pods': 'the same as 008: FailureTarget in foreground deletion',
}
