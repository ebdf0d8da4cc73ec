package dev.lightpath.planner.light;

/** The port at the other end of a fibre, as the receiver heard it name itself. */
public record FarEnd(String device, String port) {
    @Override
    public String toString() {
        return device + "/" + port;
    }
}
