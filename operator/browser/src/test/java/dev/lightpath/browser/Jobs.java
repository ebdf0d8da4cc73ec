package dev.lightpath.browser;

/** Manifests of jobs for the local environment. */
final class Jobs {
    private Jobs() {}

    /** On the ring, with stages in two pods of the switches. */
    static String onTwoFabrics(String name) {
        return """
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: %s, namespace: default}
                spec:
                  model: {preset: gpt-7b}
                  parallelism: {tensor: 8, pipeline: 2, data: 2}
                  scaleUp: {fabric: ring-a}
                  scaleOut: {fabric: spine, stagesPerPod: 1}
                  reconfiguration: Live
                """.formatted(name);
    }

    /** Waits beside any other job of the ring. */
    static String tooLarge(String name) {
        return """
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: %s, namespace: default}
                spec: {model: {preset: gpt-7b}, parallelism: {tensor: 32, data: 4}, scaleUp: {fabric: ring-a}}
                """.formatted(name);
    }
}
