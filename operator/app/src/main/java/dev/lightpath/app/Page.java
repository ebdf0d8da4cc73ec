package dev.lightpath.app;

/** What an informer asks for when it lists. */
public final class Page {
    /** Objects in an answer: it needs room beside all that lives, once as text and many times that as objects (ADR 54). */
    public static final long OBJECTS = 500;

    private Page() {}
}
