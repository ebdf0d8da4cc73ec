package dev.lightpath.app.conditions;

import dev.lightpath.crds.EventReason;

/**
 * Something that happened to an object.
 *
 * @param warning whether a person should look
 */
public record ObjectEvent(EventReason reason, boolean warning, String message) {}
