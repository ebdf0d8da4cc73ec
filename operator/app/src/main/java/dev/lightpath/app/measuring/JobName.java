package dev.lightpath.app.measuring;

/** A job by the labels of a series. */
public record JobName(String namespace, String name) {}
