package dev.lightpath.sim.scenario;

import dev.lightpath.sim.core.fault.FaultKind;
import dev.lightpath.sim.core.fault.FaultRequest;
import java.util.List;

/**
 * Things that break by chance, each as often as the others.
 *
 * @param kind how they break
 * @param places what may break; a place that is broken so does not break again
 * @param perDay how often each breaks in a day of emulated time
 * @param repairMillis how long each stays broken
 */
public record FaultRate(FaultKind kind, List<Place> places, double perDay, long repairMillis) {
    /** Copies the places. */
    public FaultRate {
        places = List.copyOf(places);
    }

    /**
     * Something that may break.
     *
     * @param device its device
     * @param port its port; empty for the whole device
     */
    public record Place(String device, String port) {}

    FaultRequest request(Place place) {
        return new FaultRequest(place.device, place.port, kind, 0, repairMillis, "");
    }
}
