package dev.lightpath.app.publish.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.lightpath.console.ReadBack;
import dev.lightpath.crds.slice.Programmed;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Everything as the last published pass saw it, as {@code GET /view} shows it: {@link RenderedView}. */
public final class View {
    private View() {}

    /**
     * How the pass itself went.
     *
     * @param at the moment of the pass, RFC 3339
     * @param epoch the fencing epoch of the leader
     * @param decision of the pass: rest, observe, adopt or apply
     * @param remaining device changes still to be made
     */
    public record Pass(String at, long epoch, String decision, int remaining) {}

    /**
     * The part for callers that may see fabrics as a whole.
     *
     * @param inFlight stages whose outcome is not known yet
     */
    public record Whole(List<StageView> inFlight, List<FabricView> fabrics) {}

    /**
     * @param cause place, repair, release or correct
     * @param devices changed by it and not answered yet
     */
    public record StageView(String id, String cause, List<String> devices) {}

    /**
     * @param shape Ring or Line; of optical switches PolarFly, TwistedTorus or Logical
     * @param positions of a ring; of optical switches the number of pods, and then reach and gpusPerNode are 0
     * @param conditions as in the fabric's status, without times
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record FabricView(
            String name,
            String shape,
            int positions,
            int reach,
            int gpusPerNode,
            boolean paused,
            DriverView driver,
            List<ConditionView> conditions,
            Counts nodes,
            Counts gpus,
            CircuitFigures circuits,
            List<FaultView> faults,
            List<String> foreign,
            List<DeviceView> devices) {}

    /** @param problem what stands in the way of contact, null when nothing does */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record DriverView(
            String endpoint,
            String name,
            String version,
            boolean connected,
            long highestEpoch,
            @Nullable String problem) {}

    /** @param usable GPUs of nodes that plans may use; of nodes: the healthy ones */
    public record Counts(int total, int usable, int allocated) {}

    public record CircuitFigures(int planned, int lit, int foreign, int missing) {}

    /** @param since RFC 3339 */
    public record FaultView(String subject, String reason, String since, boolean quarantined) {}

    /**
     * A node's transceivers, wanted against observed.
     *
     * @param position on the ring; null for a node that has left it
     * @param presence present, silent, foreign, or unknown when the driver never told of it
     * @param wanted circuits, as ingress->egress
     * @param observed circuits read back
     * @param missing wanted and not observed
     * @param surplus observed and not wanted
     * @param ports of a switch, what their receivers measure; null elsewhere
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record DeviceView(
            String device,
            @Nullable Integer position,
            String presence,
            List<String> wanted,
            List<String> observed,
            List<String> missing,
            List<String> surplus,
            @Nullable Map<String, ReadBack.PortPower> ports) {
        DeviceView with(Map<String, ReadBack.PortPower> measured) {
            return new DeviceView(
                    device,
                    position,
                    presence,
                    wanted,
                    observed,
                    missing,
                    surplus,
                    measured.isEmpty() ? null : measured);
        }
    }

    /**
     * @param job its name, in the slice's namespace
     * @param revision of the record, null before there is one
     * @param programmed null while the slice has no place
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record SliceView(
            String namespace,
            String name,
            String job,
            int attempt,
            String fabric,
            int gpus,
            boolean wanted,
            @Nullable Long revision,
            List<GroupView> groups,
            List<String> releasing,
            @Nullable Programmed programmed,
            int links,
            int qualifiedLinks,
            List<ConditionView> conditions) {}

    /** Members in ring order, which is rank order. */
    public record GroupView(int index, List<MemberView> members) {}

    public record MemberView(String node, int position) {}

    public record ConditionView(String type, String status, String reason, String message) {
        public static ConditionView of(Condition condition) {
            return new ConditionView(
                    condition.getType(), condition.getStatus(), condition.getReason(), condition.getMessage());
        }
    }
}
