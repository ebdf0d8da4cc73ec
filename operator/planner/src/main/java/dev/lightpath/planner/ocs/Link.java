package dev.lightpath.planner.ocs;

/**
 * A requested circuit between two pods. On two-sided switches light goes from one to the other, on any-to-any switches
 * both ways.
 *
 * @param via the switch of the link when nothing has failed
 */
public record Link(String from, String to, String via) {
    @Override
    public String toString() {
        return from + "-" + to;
    }
}
