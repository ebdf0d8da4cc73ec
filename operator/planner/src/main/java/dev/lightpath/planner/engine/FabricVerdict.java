package dev.lightpath.planner.engine;

import dev.lightpath.planner.fault.Fault;
import java.util.List;
import java.util.Optional;

/**
 * How a fabric stands after a pass.
 *
 * @param nodes counts
 * @param gpus counts
 * @param circuits counts
 * @param faults what counts as faulty now, newest first
 * @param foreign circuits nobody planned, as device/circuit
 * @param invalidWiring names nodes or positions, empty when the wiring is sound
 * @param massFailure all automatic moves stand still
 * @param awaitingAdoption light was found at first contact that no record explains
 */
public record FabricVerdict(
        Nodes nodes,
        Gpus gpus,
        Circuits circuits,
        List<Fault> faults,
        List<String> foreign,
        Optional<String> invalidWiring,
        boolean massFailure,
        boolean awaitingAdoption) {
    public FabricVerdict {
        faults = List.copyOf(faults);
        foreign = List.copyOf(foreign);
    }

    public record Nodes(int total, int healthy, int faulty, int busy, int allocated) {}

    /** @param usable GPUs of healthy nodes that plans may use, allocated ones included */
    public record Gpus(int total, int usable, int allocated) {}

    /**
     * @param planned circuits wanted, loopbacks included
     * @param lit of these, read back
     * @param foreign active paths that nobody planned
     * @param missing wanted, on a device that answers, and not read back
     */
    public record Circuits(int planned, int lit, int foreign, int missing) {}
}
