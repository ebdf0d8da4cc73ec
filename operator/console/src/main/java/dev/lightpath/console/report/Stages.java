package dev.lightpath.console.report;

import dev.lightpath.console.report.JobTree.GroupBranch;
import dev.lightpath.console.report.JobTree.Member;
import dev.lightpath.console.report.JobTree.SliceBranch;
import dev.lightpath.console.report.JobTree.StageBranch;
import dev.lightpath.planner.ocs.OcsWiring;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which pod of optical switches holds which stage of a job, and the nodes in it: replica by replica, stage by stage
 * (ADR 2).
 */
public final class Stages {
    private Stages() {}

    /**
     * None where the slice is not of stages in pods.
     *
     * @param pipeline stages of a replica
     * @param slices of the job: where the pods' nodes are chosen on a ring, that slice knows them
     */
    public static List<StageBranch> of(SliceBranch slice, int pipeline, List<SliceBranch> slices, Fabrics fabrics) {
        OcsWiring wiring = fabrics.wirings().get(slice.fabric());
        int stages = slice.groups().size();
        if (wiring == null || stages == 0 || stages % pipeline != 0) {
            return List.of();
        }
        List<GroupBranch> ring = slices.stream()
                .filter(other -> other.attempt() == slice.attempt()
                        && fabrics.rings().containsKey(other.fabric())
                        && other.groups().size() % stages == 0)
                .findFirst()
                .map(SliceBranch::groups)
                .orElse(List.of());
        int share = ring.size() / stages;
        List<StageBranch> branches = new ArrayList<>();
        for (int seat = 0; seat < stages; seat++) {
            List<GroupBranch> groups = ring.subList(seat * share, (seat + 1) * share);
            List<Member> own = slice.groups().get(seat).members();
            String pod = slice.groups().get(seat).pod();
            if (own.isEmpty() || pod == null) {
                return List.of();
            }
            branches.add(new StageBranch(
                    seat / pipeline,
                    seat % pipeline,
                    pod,
                    IntStream.range(seat * share, (seat + 1) * share).boxed().toList(),
                    share == 0
                            ? own
                            : groups.stream()
                                    .flatMap(group -> group.members().stream())
                                    .toList()));
        }
        return branches;
    }
}
