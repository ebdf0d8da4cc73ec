package dev.lightpath.app;

/** What an informer asks for when it lists: an answer needs room beside all that lives, as text and again as objects (ADR 54). */
public final class Page {
    /** Objects in an answer. */
    public static final long OBJECTS = 500;

    /** Where each object may be as large as the API server stores, about 1.5 MiB, because tenants write much of it. */
    public static final long LARGE_OBJECTS = 20;

    private Page() {}
}
