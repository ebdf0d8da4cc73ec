package dev.lightpath.planner.torus;

import dev.lightpath.planner.stripe.Circuit;
import dev.lightpath.planner.stripe.SwitchCircuits;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * An arrangement on real cubes: {@code placement[i]} is the cube in the place of part i. Switch
 * {@code 16 * axis + 4 * r + s} joins the faces along an axis at the position (r, s) of the other two coordinates;
 * ingress port c is cube c's plus face, egress port c its minus face.
 */
public record CubeSlice(CubeArrangement arrangement, List<Integer> placement) {

    /** @throws IllegalArgumentException if the placement has not one distinct cube per part */
    public CubeSlice {
        placement = List.copyOf(placement);
        if (placement.size() != arrangement.cubes()) {
            throw new IllegalArgumentException(
                    "placement names " + placement.size() + " cubes: the slice has " + arrangement.cubes());
        }
        if (new HashSet<>(placement).size() != placement.size()) {
            throw new IllegalArgumentException("placement " + placement + " names a cube twice: each cube once");
        }
        placement.stream().filter(cube -> cube < 0).findFirst().ifPresent(cube -> {
            throw new IllegalArgumentException("placement names cube " + cube + ": 0 or more");
        });
    }

    /** The circuits of all 48 switches. */
    public List<SwitchCircuits> circuits() {
        List<SwitchCircuits> switches = new ArrayList<>();
        for (int s = 0; s < CubeArrangement.SWITCHES; s++) {
            List<Circuit> circuits = new ArrayList<>();
            for (int part = 0; part < placement.size(); part++) {
                circuits.add(new Circuit(placement.get(part), placement.get(arrangement.next(s / 16, part))));
            }
            switches.add(new SwitchCircuits(s, circuits));
        }
        return switches;
    }
}
