package dev.lightpath.app.telling;

import dev.lightpath.crds.EventReason;

/**
 * Something that happened to an object.
 *
 * @param warning whether a person should look
 */
public record Happening(EventReason reason, boolean warning, String message) {}
