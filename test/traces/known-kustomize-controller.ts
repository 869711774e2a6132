/**
 * Traces on which the model is known to differ, by folder and id, each with the reason. The test
 * fails when one of them agrees, so that the list only shrinks.
 */
export const knownKustomizeController: Readonly<Record<string, string>> = {
  'kustomize-controller/032-foreground-deletion-under-way':
    'all that the engine does agrees; the Job in foreground deletion gets FailureTarget in the ' +
    'model of the Job controller as soon as its pod is being deleted, in the recording it did not ' +
    '(of four recordings of this, helm/017-uninstall-v3 alone has it)',
  'kustomize-controller/033-foreground-deletion-and-template-change':
    'the same as 032: FailureTarget on a Job in foreground deletion',
}
