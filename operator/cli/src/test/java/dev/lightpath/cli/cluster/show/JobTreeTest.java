package dev.lightpath.cli.cluster.show;

import static dev.lightpath.planner.ring.BundleState.LOOPBACK;
import static dev.lightpath.planner.ring.BundleState.PATH_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.console.report.Fabrics;
import dev.lightpath.console.report.JobTree;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.slice.FabricSlice;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JobTreeTest {

    @Test
    void derivesTheBundlesFromTheRecord() {
        JobTree tree = tree(Shown.slice("u"));
        assertThat(tree.slices().getFirst().groups().getLast().members())
                .extracting(JobTree.Member::rank, JobTree.Member::node, JobTree.Member::bundles)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(3, "n4", List.of(LOOPBACK, PATH_1, LOOPBACK)),
                        org.assertj.core.groups.Tuple.tuple(4, "n5", List.of(PATH_1, PATH_1, LOOPBACK)),
                        org.assertj.core.groups.Tuple.tuple(5, "n6", List.of(PATH_1, LOOPBACK, LOOPBACK)));
    }

    @Test
    void drawsTheJobDownToItsPods() {
        assertThat(TreePage.of(tree(Shown.slice("u")), false).render().lines().toList())
                .containsExactly(
                        "TrainingJob default/llm: Programming: 3 of 18 circuits lit, 24 GPUs on 6 nodes, attempt 1",
                        "├─ Accepted yes, Placed yes, FabricReady Programming",
                        "├─ FabricSlice llm-ring-a-1-abcde on ring-a: Programming, revision 2, 3 of 18 circuits lit",
                        "│  ├─ why: n0 in for n7, 1 of 2 groups changed (local-repair)",
                        "│  ├─ group 0",
                        "│  │  ├─ rank 0    n0  @0    loop  path1 loop   pod w-0 Running",
                        "│  │  ├─ rank 1    n1  @1    path1 path1 loop   pod w-1 Pending",
                        "│  │  └─ rank 2    n2  @2    path1 loop  loop",
                        "│  ├─ group 1",
                        "│  │  ├─ rank 3    n4  @4    loop  path1 loop",
                        "│  │  ├─ rank 4    n5  @5    path1 path1 loop",
                        "│  │  └─ rank 5    n6  @6    path1 loop  loop",
                        "│  └─ not yet read back dark: n7",
                        "└─ pods on no node of a slice",
                        "   └─ pod w-9 Running");
    }

    @Test
    void givesNodesThatGroupsShareOneRank() {
        FabricSlice slice = Shown.slice("u");
        slice.setStatus(Shown.yaml(FabricSlice.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: FabricSlice
                status:
                  allocation:
                    format: 1
                    revision: 1
                    groups:
                    - {index: 0, nodes: [n0], positions: [0]}
                    - {index: 1, nodes: [n0], positions: [0]}
                    - {index: 2, nodes: [n1], positions: [1]}
                """).getStatus());
        assertThat(tree(slice).slices().getFirst().groups())
                .flatExtracting(JobTree.GroupBranch::members)
                .extracting(JobTree.Member::rank)
                .containsExactly(0, 0, 1);
    }

    @Test
    void leavesOutSlicesOfAnEarlierJobOfTheName() {
        assertThat(tree(Shown.slice("another")).slices()).isEmpty();
    }

    @Test
    void givesAGroupOfALargeJobOneLineUnlessSomethingIsWrong() {
        JobTree large = new JobTree(
                "default",
                "big",
                1200,
                300,
                1,
                List.of(),
                List.of(new JobTree.SliceBranch(
                        "s",
                        "ring-a",
                        1,
                        1L,
                        null,
                        null,
                        List.of(),
                        IntStream.range(0, 100).mapToObj(JobTreeTest::three).toList(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of())),
                List.of());
        assertThat(TreePage.of(large, false).render())
                .hasLineCount(100 + 3 + 3 + 1)
                .contains("FAULTY: NodeNotReady");
        assertThat(TreePage.of(large, true).render()).hasLineCount(400 + 3);
    }

    @Test
    void tellsOfPodsWhatStagesTheyHoldAndHowManyCircuitsJoinThem() {
        FabricSlice spine = Shown.yaml(FabricSlice.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: FabricSlice
                metadata: {name: llm-spine-1-abcde, namespace: default, labels: {lightpath.dev/job: llm}}
                spec:
                  fabric: spine
                  job: {name: llm, uid: u, attempt: 1}
                  demand: {}
                status:
                  conditions: []
                  allocation:
                    format: 1
                    revision: 1
                    groups:
                    - {index: 0, nodes: [a], positions: [0]}
                    - {index: 1, nodes: [c], positions: [2]}
                    circuits:
                    - {switch: ocs-0, circuits: ["1-15", "9-7", "2-16"]}
                """);
        List<OpticalFabric> fabrics = List.of(Shown.fabric(), ExplainReportTest.spine());
        Fabrics known = Fabrics.of(
                fabrics,
                List.of(ExplainReportTest.opticalSwitch("{firstIngress: 1, firstEgress: 7, portsPerPod: 4}")),
                Shown.nodes());
        JobTree both = JobTree.of(Shown.job("u"), List.of(Shown.slice("u"), spine), known, List.of());
        assertThat(TreePage.of(both, false).render().lines().toList())
                .containsSubsequence(
                        "   ├─ replica 0",
                        "   │  └─ stage 0  in a  group 0: n0 n1 n2",
                        "   ├─ replica 1",
                        "   │  └─ stage 0  in c  group 1: n4 n5 n6",
                        "   └─ circuits between pods (--full shows the ports)",
                        "      └─ a - c: 2 there, 1 back, on ocs-0");
        assertThat(TreePage.of(both, true).render().lines().toList())
                .containsSubsequence("      └─ a - c: 2 there, 1 back", "         └─ switch ocs-0: 1-15 9-7 2-16");
        JobTree alone = JobTree.of(Shown.job("u"), List.of(spine), known, List.of());
        assertThat(TreePage.of(alone, false).render().lines().toList())
                .containsSubsequence("   │  └─ stage 0 in a", "   │     └─ rank 0    a");
    }

    private static JobTree.GroupBranch three(int group) {
        return new JobTree.GroupBranch(
                group,
                null,
                IntStream.range(3 * group, 3 * group + 3)
                        .mapToObj(node -> new JobTree.Member(
                                node, "n" + node, node, List.of(), node == 7 ? "NodeNotReady" : null, List.of()))
                        .toList());
    }

    private static JobTree tree(FabricSlice slice) {
        return JobTree.of(
                Shown.job("u"),
                List.of(slice),
                Fabrics.of(List.of(Shown.fabric()), List.of(), Shown.nodes()),
                List.of(
                        Shown.pod("w-0", "n0", "Running"),
                        Shown.pod("w-1", "n1", "Pending"),
                        Shown.pod("w-9", "n3", "Running")));
    }
}
