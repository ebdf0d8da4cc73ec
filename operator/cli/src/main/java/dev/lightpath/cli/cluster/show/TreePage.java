package dev.lightpath.cli.cluster.show;

import dev.lightpath.console.report.JobTree;
import dev.lightpath.console.report.JobTree.GroupBranch;
import dev.lightpath.console.report.JobTree.Member;
import dev.lightpath.console.report.JobTree.PodLeaf;
import dev.lightpath.console.report.JobTree.SliceBranch;
import dev.lightpath.console.report.JobTree.StageBranch;
import dev.lightpath.console.report.PodPair;
import dev.lightpath.console.report.ShownCondition;
import dev.lightpath.console.text.Table;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.slice.SwitchCircuits;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.words.Counted;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** {@link JobTree} for people. */
final class TreePage {
    private static final int MOST_NODES = 256;

    /** A line with what hangs below it. */
    private record Twig(String line, List<Twig> below) {}

    private TreePage() {}

    /** @param full one line for each node, however many there are */
    static Table of(JobTree tree, boolean full) {
        long nodes = tree.slices().stream()
                .flatMap(slice -> slice.groups().stream())
                .mapToLong(group -> group.members().size())
                .sum();
        boolean brief = nodes > MOST_NODES && !full;
        List<Twig> below = new ArrayList<>();
        below.add(new Twig(conditions(tree.conditions()), List.of()));
        String told = ready(tree.conditions());
        tree.slices().forEach(slice -> below.add(slice(slice, told, brief, full)));
        if (tree.slices().isEmpty()) {
            below.add(new Twig("no slice: nothing has been granted", List.of()));
        }
        if (!tree.pods().isEmpty()) {
            below.add(new Twig(
                    "pods on no node of a slice",
                    tree.pods().stream()
                            .map(TreePage::pod)
                            .map(line -> new Twig(line, List.of()))
                            .toList()));
        }
        List<String> lines = new ArrayList<>();
        lines.add("TrainingJob " + tree.namespace() + "/" + tree.name() + ": " + told + ", "
                + Counted.of(tree.gpus(), "GPU")
                + (tree.nodes() == null ? "" : " on " + Counted.of(tree.nodes(), "node"))
                + (tree.attempt() == null ? "" : ", attempt " + tree.attempt()));
        draw(below, "", lines);
        if (brief) {
            lines.add("groups in which all is well on one line each: --full shows every node");
        }
        return new Table(List.of(), List.of(), lines);
    }

    private static void draw(List<Twig> twigs, String indent, List<String> lines) {
        for (Iterator<Twig> each = twigs.iterator(); each.hasNext(); ) {
            Twig twig = each.next();
            boolean last = !each.hasNext();
            lines.add(indent + (last ? "└─ " : "├─ ") + twig.line());
            draw(twig.below(), indent + (last ? "   " : "│  "), lines);
        }
    }

    private static String ready(List<ShownCondition> conditions) {
        ShownCondition ready = ShownCondition.find(conditions, ConditionType.READY);
        return ready.holds() ? "Ready" : ready.sentence();
    }

    /** Conditions that are good when true; the others are there to be read by programs. */
    private static String conditions(List<ShownCondition> conditions) {
        String text = conditions.stream()
                .filter(condition -> List.of("Accepted", "Placed", "FabricReady")
                                .contains(condition.type())
                        || condition.holds() && List.of("Complete", "Failed").contains(condition.type()))
                .map(condition -> condition.type() + " " + condition.word())
                .collect(Collectors.joining(", "));
        return text.isEmpty() ? "no conditions: the operator has not seen it" : text;
    }

    /** @param told what the job says already */
    private static Twig slice(SliceBranch slice, String told, boolean brief, boolean full) {
        ShownCondition ready = ShownCondition.find(slice.conditions(), ConditionType.READY);
        String state = ready(slice.conditions());
        var programmed = slice.programmed();
        String line = "FabricSlice " + slice.name() + " on " + slice.fabric() + ": "
                + (state.equals(told) && !ready.holds() ? ready.reason() : state)
                + (slice.revision() == null ? "" : ", revision " + slice.revision())
                + (programmed == null
                        ? ""
                        : ", " + Counted.part(programmed.applied(), programmed.total(), "circuit lit", "circuits lit"));
        List<Twig> below = new ArrayList<>();
        if (slice.origin() != null && slice.origin().why() != null) {
            below.add(new Twig(
                    "why: " + slice.origin().why() + " (" + slice.origin().planner() + ")", List.of()));
        }
        int nodeWidth = width(slice, member -> member.node());
        int bundleWidth = width(slice, TreePage::bundles);
        if (slice.stages().isEmpty()) {
            slice.groups().forEach(group -> below.add(group(group, brief, nodeWidth, bundleWidth)));
        } else {
            below.addAll(replicas(slice, brief));
        }
        if (slice.pairs().isEmpty()) {
            slice.circuits().forEach(circuits -> below.add(ports(circuits)));
        } else {
            below.add(new Twig(
                    "circuits between pods" + (full ? "" : " (--full shows the ports)"),
                    slice.pairs().stream().map(pair -> pair(pair, full)).toList()));
        }
        if (!slice.releasing().isEmpty()) {
            below.add(new Twig("not yet read back dark: " + String.join(" ", slice.releasing()), List.of()));
        }
        return new Twig(line, below);
    }

    private static Twig ports(SwitchCircuits of) {
        return new Twig("switch " + of.opticalSwitch() + ": " + String.join(" ", of.circuits()), List.of());
    }

    /**
     * Which pod holds which stage: a line a replica where there are many nodes, a line a node where no ring shows them.
     */
    private static List<Twig> replicas(SliceBranch slice, boolean brief) {
        SortedMap<Integer, List<StageBranch>> replicas = new TreeMap<>();
        slice.stages()
                .forEach(stage -> replicas.computeIfAbsent(stage.replica(), of -> new ArrayList<>())
                        .add(stage));
        int podWidth = slice.stages().stream()
                .mapToInt(stage -> stage.pod().length())
                .max()
                .orElse(0);
        int nodeWidth = slice.stages().stream()
                .flatMap(stage -> stage.members().stream())
                .mapToInt(member -> member.node().length())
                .max()
                .orElse(0);
        List<Twig> twigs = new ArrayList<>();
        replicas.forEach((replica, stages) -> twigs.add(
                brief
                        ? new Twig(
                                "replica " + replica + ": stages in "
                                        + stages.stream().map(StageBranch::pod).collect(Collectors.joining(" ")),
                                List.of())
                        : new Twig(
                                "replica " + replica,
                                stages.stream()
                                        .map(stage -> stage(stage, podWidth, nodeWidth))
                                        .toList())));
        return twigs;
    }

    private static Twig stage(StageBranch stage, int podWidth, int nodeWidth) {
        String where = "stage " + stage.stage() + " in " + stage.pod();
        if (stage.groups().isEmpty()) {
            return new Twig(
                    where,
                    stage.members().stream()
                            .map(member -> new Twig(member(member, nodeWidth, 0), List.of()))
                            .toList());
        }
        String groups = stage.groups().stream().map(String::valueOf).collect(Collectors.joining(" "));
        String nodes = stage.members().stream().map(Member::node).distinct().collect(Collectors.joining(" "));
        return new Twig(
                "stage " + padded("" + stage.stage(), 2) + " in " + padded(stage.pod(), podWidth) + "  "
                        + (stage.groups().size() == 1 ? "group " : "groups ") + groups + ": " + nodes,
                List.of());
    }

    private static Twig pair(PodPair pair, boolean full) {
        String count = pair.there() == pair.back()
                ? pair.there() + " each way"
                : pair.there() + " there, " + pair.back() + " back";
        String switches =
                pair.circuits().stream().map(SwitchCircuits::opticalSwitch).collect(Collectors.joining(" "));
        return new Twig(
                pair.from() + " - " + pair.to() + ": " + count + (full ? "" : ", on " + switches),
                full ? pair.circuits().stream().map(TreePage::ports).toList() : List.of());
    }

    private static int width(SliceBranch slice, java.util.function.Function<Member, String> cell) {
        return slice.groups().stream()
                .flatMap(group -> group.members().stream())
                .mapToInt(member -> cell.apply(member).length())
                .max()
                .orElse(0);
    }

    private static Twig group(GroupBranch group, boolean brief, int nodeWidth, int bundleWidth) {
        boolean well = group.members().stream()
                .allMatch(member ->
                        member.fault() == null && member.pods().stream().allMatch(PodLeaf::runs));
        if (brief && well) {
            long pods = group.members().stream()
                    .mapToLong(member -> member.pods().size())
                    .sum();
            String nodes = group.members().stream().map(Member::node).collect(Collectors.joining(" "));
            return new Twig(
                    "group " + group.index() + ": " + nodes
                            + (pods == 0 ? "" : ", " + Counted.of(pods, "pod") + " well"),
                    List.of());
        }
        return new Twig(
                "group " + group.index(),
                group.members().stream()
                        .map(member -> new Twig(member(member, nodeWidth, bundleWidth), List.of()))
                        .toList());
    }

    private static String member(Member member, int nodeWidth, int bundleWidth) {
        String text = "rank " + padded("" + member.rank(), 4) + " " + padded(member.node(), nodeWidth)
                + (member.position() == null ? "" : "  @" + padded("" + member.position(), 5))
                + padded(bundles(member), bundleWidth)
                + (member.pods().isEmpty()
                        ? ""
                        : "  " + member.pods().stream().map(TreePage::pod).collect(Collectors.joining(", ")))
                + (member.fault() == null ? "" : "  FAULTY: " + member.fault());
        return text.stripTrailing();
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    private static String bundles(Member member) {
        return member.bundles().stream().map(TreePage::word).collect(Collectors.joining(" "));
    }

    private static String word(BundleState state) {
        return switch (state) {
            case LOOPBACK -> "loop ";
            case PATH_1 -> "path1";
            case PATH_2 -> "path2";
        };
    }

    private static String pod(PodLeaf pod) {
        return "pod " + pod.name() + " " + pod.phase();
    }
}
