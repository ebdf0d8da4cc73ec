package dev.lightpath.cli.cluster.change;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.console.text.ObjectName;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.planner.words.Counted;
import dev.lightpath.reading.SliceParts;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * An act that a person is about to confirm.
 *
 * @param will what it will do, one sentence a line
 * @param command the same on the command line
 * @param act does it, as that command would
 */
public record Proposal(
        List<String> will, String command, @JsonIgnore Function<Cluster, Act> act) {
    private static final String ALLOWED = "allowed are pause, resume, drain, undrain, clear and force-release";

    /**
     * @param name of the act, as the command line names it
     * @param object as TYPE/NAME
     * @throws BadInput when there is no such act or object
     */
    public static Proposal of(Cluster api, String name, String object) {
        return switch (name) {
            case "pause" -> {
                String fabric = ObjectName.FABRIC.parse(object);
                yield new Proposal(
                        also(
                                api.fabric(fabric).getSpec().paused(),
                                "it is paused already",
                                "the operator goes on reading, planning and reporting",
                                "no light moves: faults are not repaired, and no job gets circuits, until it is resumed",
                                held(api, fabric)),
                        command("pause fabric/" + fabric),
                        cluster -> Act.pause(cluster, fabric));
            }
            case "resume" -> {
                String fabric = ObjectName.FABRIC.parse(object);
                yield new Proposal(
                        resuming(api.fabric(fabric)),
                        command("resume fabric/" + fabric),
                        cluster -> Act.resume(cluster, fabric));
            }
            case "drain" -> {
                String osw = ObjectName.SWITCH.parse(object);
                yield new Proposal(
                        also(
                                api.opticalSwitch(osw).getSpec().drained(),
                                "it is drained already",
                                "no new circuit is made on it",
                                "its circuits move to other switches as the policy of the fabric allows; "
                                        + "jobs whose circuits find no other port keep them",
                                circuits(api.slices(Optional.empty()), osw)),
                        command("drain switch/" + osw),
                        cluster -> Act.drain(cluster, osw, true));
            }
            case "undrain" -> {
                String osw = ObjectName.SWITCH.parse(object);
                yield new Proposal(
                        also(
                                !api.opticalSwitch(osw).getSpec().drained(),
                                "it is in use already",
                                "it takes circuits again"),
                        command("undrain switch/" + osw),
                        cluster -> Act.drain(cluster, osw, false));
            }
            case "clear" -> {
                ObjectName type = ObjectName.among(object, List.of(ObjectName.NODE, ObjectName.SWITCH));
                String of = type.parse(object);
                yield new Proposal(
                        also(
                                false,
                                "",
                                "faults and quarantine of " + object + " from before now are over",
                                "a cause that still holds is found again, and counts anew"),
                        command("clear " + object),
                        cluster -> Act.clear(cluster, type, of));
            }
            case "force-release" -> {
                SliceName slice = SliceName.parse(object);
                FabricSlice found = slice.in(api);
                yield new Proposal(
                        also(
                                false,
                                "",
                                "the slice is released at once, although its circuits may still be lit",
                                "its ports are quarantined: others use them only when they were read back dark",
                                "pods of its job keep running, and the job is placed again once it is accepted",
                                "it serves "
                                        + (found.getSpec().job() == null
                                                ? "the static topology of fabric "
                                                        + found.getSpec().fabric()
                                                : "job " + found.getSpec().job().name())),
                        command("force-release slice/" + slice.name() + " -n " + slice.namespace()),
                        cluster -> Act.forceRelease(cluster, slice));
            }
            default -> throw new BadInput("'" + name + "' is no act: " + ALLOWED);
        };
    }

    /** Does it. */
    public Act carryOut(Cluster api) {
        return act.apply(api);
    }

    private static String command(String words) {
        return "kubectl lightpath " + words;
    }

    private static List<String> also(boolean already, String so, String... lines) {
        List<String> will = new ArrayList<>();
        if (already) {
            will.add(so + ": nothing will change");
        } else {
            will.addAll(List.of(lines));
        }
        return will;
    }

    /** As {@link Act#resume} does it. */
    static List<String> resuming(OpticalFabric fabric) {
        if (Act.showsMassFailure(fabric)) {
            return also(
                    false,
                    "",
                    "the operator may move light again",
                    "faults until now no longer count as a mass failure; repairs that waited go ahead at once");
        }
        return also(
                !fabric.getSpec().paused(),
                "it is not paused, and shows no mass failure",
                "the operator may move light again",
                "if it then shows MassFailure, repairs go ahead only when it is resumed again");
    }

    private static String held(Cluster api, String fabric) {
        long slices = api.slices(Optional.empty()).stream()
                .filter(slice -> slice.getSpec().fabric().equals(fabric)
                        && slice.getSpec().job() != null)
                .filter(slice -> !SliceParts.isPart(slice))
                .count();
        return Counted.of(slices, "slice") + " of jobs on it keep their light";
    }

    /** What is recorded on a switch; a slice whose record is in several parts is one. */
    static String circuits(List<FabricSlice> all, String osw) {
        long count = 0;
        long slices = 0;
        for (FabricSlice slice : all) {
            if (SliceParts.isPart(slice)
                    || slice.getStatus() == null
                    || slice.getStatus().allocation() == null) {
                continue;
            }
            long own = SliceParts.readable(slice, all).circuits().stream()
                    .filter(of -> Objects.equals(of.opticalSwitch(), osw))
                    .mapToLong(of -> of.circuits().size())
                    .sum();
            count += own;
            slices += own > 0 ? 1 : 0;
        }
        return "now it carries " + Counted.of(count, "circuit") + " of " + Counted.of(slices, "slice");
    }
}
