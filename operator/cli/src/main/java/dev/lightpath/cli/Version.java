package dev.lightpath.cli;

/** The version of this command line, and of the images that belong to it. */
public final class Version {
    public static final String VERSION = "0.1.0";

    private Version() {}
}
