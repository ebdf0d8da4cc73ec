package dev.lightpath.sim.scenario;

/** A scenario that cannot be used. The message is one line: file, line, what is wrong, what is allowed. */
public final class ScenarioException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** With the message for people. What the scenario has on several lines is shown on one. */
    public ScenarioException(String message) {
        super(message.replaceAll("\\p{Cntrl}+", " "));
    }
}
