package dev.lightpath.app.agreeing;

/**
 * An announcement, and the pod that is to answer it.
 *
 * @param slice whose light is to move
 * @param revision of the record that moves it
 * @param pod of rank 0
 * @param node where it runs
 * @param announcement what is sent, as JSON
 */
public record HookQuestion(
        String namespace,
        String job,
        String slice,
        long revision,
        String pod,
        String node,
        int port,
        String path,
        String announcement) {}
