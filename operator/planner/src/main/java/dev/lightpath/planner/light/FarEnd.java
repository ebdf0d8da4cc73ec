package dev.lightpath.planner.light;

/** The port at the other end of a fibre, as its light names it to the receiver. */
public record FarEnd(String device, String port) {
    @Override
    public String toString() {
        return device + "/" + port;
    }
}
