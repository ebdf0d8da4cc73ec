package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two rings that share nothing, led by two processes. One is killed, another comes, one is stopped and goes on, a job
 * asks for both rings in vain, and a node changes its ring while a job is recorded on it, also while one process is
 * stopped.
 */
@ExtendWith(ApiServerExtension.class)
class SharedFabricsIT {
    private static final int NODES = 12;
    private static final String OF_A = "lightpath-fabric-ring-a";
    private static final String OF_B = "lightpath-fabric-ring-b";
    /** A change that was under way when a Lease was given back ends within this. */
    private static final Duration UNDER_WAY = Duration.ofSeconds(2);

    private static final String LATE = "{model: {preset: gpt-7b}, parallelism: {tensor: 8}, scaleUp: {fabric: %s}}";
    /** A job of others is looked at every two minutes. */
    private static final Duration CALLED = Duration.ofSeconds(75);

    private final List<Process> processes = new ArrayList<>();
    private Installation all;
    private SecondRing second;
    private LeaseHistory leases;
    private LightLog lightOfA;
    private LightLog lightOfB;

    @Test
    void fabricsThatShareNothingAreLedByTwoAndNeverByTwoAtOnce(ApiServer server, @TempDir Path folder)
            throws Exception {
        all = new Installation(server, folder, NODES, "", List.of("-Dlightpath.share-fabrics=true"));
        second = new SecondRing(all, folder, NODES);
        leases = new LeaseHistory(all.client, Installation.SYSTEM);
        lightOfA = new LightLog(all.chaos);
        lightOfB = new LightLog(second.chaos);
        try {
            all.start();
            startAnother();
            place("job-a", "ring-a");
            place("job-b", SecondRing.FABRIC);
            eachIsLedByAnother();
            keepStill(true);
            aKilledReplicaIsReplaced();
            keepStill(false);
            repair("job-a");
            repair("job-b");
            keepStill(true);
            startAnother();
            eachIsLedByAnother();
            keepStill(false);
            aStoppedReplicaIsReplacedAndActsNoMore();
            aJobThatIsRefusedOnBothJoinsNothing();
            aNodeThatChangesItsRingJoinsBothUntilNothingIsRecordedThere(() -> {}, () -> {});
            Process stopped = processes.getLast();
            aNodeThatChangesItsRingJoinsBothUntilNothingIsRecordedThere(
                    () -> signal("STOP", stopped), () -> signal("CONT", stopped));
            sound();
            nobodyWroteWithoutTheLease();
        } finally {
            processes.forEach(Process::destroyForcibly);
            leases.close();
            all.close();
            second.close();
        }
    }

    private void startAnother() throws IOException {
        processes.add(all.outlive(older -> {}));
    }

    private void place(String job, String fabric) {
        all.apply(job, "{model: {preset: gpt-7b}, parallelism: {tensor: 16}, scaleUp: {fabric: " + fabric + "}}");
        all.awaitReady(job);
    }

    private void eachIsLedByAnother() {
        all.eventually("each ring is led by another", () -> {
            assertThat(leases.holder(OF_A)).isNotEmpty();
            assertThat(leases.holder(OF_B)).isNotEmpty().isNotEqualTo(leases.holder(OF_A));
            ledAnew(OF_A);
            ledAnew(OF_B);
        });
    }

    /** Whoever holds the Lease has told so in the book of epochs. */
    private void ledAnew(String lease) {
        assertThat(holders().values()).contains(leases.holder(lease));
    }

    /** The process that holds each epoch. */
    private Map<Long, String> holders() {
        Map<Long, String> holders = new HashMap<>();
        all.client
                .configMaps()
                .inNamespace(Installation.SYSTEM)
                .withName("lightpath-epoch")
                .get()
                .getData()
                .get("holders")
                .lines()
                .forEach(line -> {
                    String[] words = line.split("[ @]");
                    holders.put(Long.parseLong(words[0]), words[1]);
                });
        return holders;
    }

    private void keepStill(boolean still) {
        lightOfA.keepAllStill(still);
        lightOfB.keepAllStill(still);
        sound();
    }

    private void sound() {
        lightOfA.assertSound();
        lightOfB.assertSound();
    }

    private void aKilledReplicaIsReplaced() throws InterruptedException {
        Process victim = processes.getFirst();
        String ofA = leases.holder(OF_A);
        String ofB = leases.holder(OF_B);
        long began = System.nanoTime();
        victim.destroyForcibly();
        assertThat(victim.waitFor(60, TimeUnit.SECONDS)).isTrue();
        all.eventually("the other leads both", () -> {
            assertThat(leases.holder(OF_A)).isEqualTo(leases.holder(OF_B)).isIn(ofA, ofB);
            ledAnew(OF_A);
        });
        System.err.println("the other led both " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began)
                + " ms after one was killed");
        sound();
    }

    /** A node of the job breaks, and another takes its place. */
    private void repair(String job) {
        String broken = members(job).getFirst();
        long began = System.nanoTime();
        all.mark(broken, Map.of("lightpath.dev/faulty", "smoke"));
        all.eventually(job + " is repaired", () -> {
            assertThat(members(job)).hasSize(4).doesNotContain(broken);
            assertThat(all.says(job, "Ready")).isEqualTo("True Satisfied");
            // light of the broken node goes down last
            assertThat(slice(job).getStatus().allocation().releasing()).isNull();
        });
        System.err.println(
                job + " was repaired in " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began) + " ms");
        all.heal(broken);
    }

    private List<String> members(String job) {
        return slice(job).getStatus().allocation().groups().getFirst().nodes();
    }

    private FabricSlice slice(String job) {
        return all.slices().stream()
                .filter(each -> each.getSpec().job() != null
                        && each.getSpec().job().name().equals(job))
                .findFirst()
                .orElseThrow();
    }

    /** Nodes break while it is stopped, and it hears of them when it goes on. */
    private void aStoppedReplicaIsReplacedAndActsNoMore() {
        Process stopped = processes.getLast();
        String before = leases.holder(OF_A) + " " + leases.holder(OF_B);
        signal("STOP", stopped);
        try {
            jobsThatCameMeanwhileAreCalled(() -> all.eventually("the other leads both", () -> {
                assertThat(leases.holder(OF_A)).isNotEmpty().isEqualTo(leases.holder(OF_B));
                ledAnew(OF_A);
            }));
            repair("job-a");
            repair("job-b");
        } finally {
            signal("CONT", stopped);
        }
        repair("job-b");
        repair("job-a");
        keepStill(true);
        eachIsLedByAnother();
        keepStill(false);
        assertThat(before).contains(leases.holder(OF_A)).contains(leases.holder(OF_B));
    }

    /**
     * The other process hears of one of them while it does not lead its ring yet, and of nothing else that happens to
     * it.
     */
    private void jobsThatCameMeanwhileAreCalled(Runnable taken) {
        List<String> jobs = List.of("late-a", "late-b");
        all.apply("late-a", LATE.formatted("ring-a"));
        all.apply("late-b", LATE.formatted(SecondRing.FABRIC));
        taken.run();
        jobs.forEach(job -> all.eventually(
                job + " is Ready long before it would be looked at by itself",
                CALLED,
                () -> assertThat(all.says(job, "Ready")).isEqualTo("True Satisfied")));
        jobs.forEach(all::delete);
        jobs.forEach(job ->
                all.eventually(job + " is gone", () -> assertThat(all.job(job)).isNull()));
    }

    private static void signal(String name, Process process) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .inheritIO()
                    .start();
            assertThat(kill.waitFor()).isZero();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Two rings cannot carry one job. */
    private void aJobThatIsRefusedOnBothJoinsNothing() {
        String ofA = leases.holder(OF_A);
        String ofB = leases.holder(OF_B);
        all.apply("on-both", """
                {model: {preset: gpt-7b}, parallelism: {tensor: 16}, scaleUp: {fabric: ring-a},
                 scaleOut: {fabric: ring-b, stagesPerPod: 1}}""");
        all.eventually(
                "the job is refused",
                () -> assertThat(all.says("on-both", "Accepted")).startsWith("False"));
        repair("job-a");
        repair("job-b");
        assertThat(leases.holder(OF_A)).isEqualTo(ofA);
        assertThat(leases.holder(OF_B)).isEqualTo(ofB);
        all.delete("on-both");
        all.eventually("the job is gone", () -> assertThat(all.job("on-both")).isNull());
    }

    /**
     * The ring that it leaves is paused, so its job keeps it for a while.
     *
     * @param before what happens before the rings join
     * @param after what happens once one leads both
     */
    private void aNodeThatChangesItsRingJoinsBothUntilNothingIsRecordedThere(Runnable before, Runnable after) {
        String node = members("job-b").getLast();
        pause(true);
        before.run();
        // there is no such position: it takes none from another node
        ring(node, "ring-a", "99");
        all.eventually("one leads both", () -> {
            assertThat(leases.holder(OF_A)).isNotEmpty().isEqualTo(leases.holder(OF_B));
            ledAnew(OF_A);
        });
        after.run();
        repair("job-a");
        pause(false);
        all.eventually("the job has left the node", () -> {
            assertThat(members("job-b")).hasSize(4).doesNotContain(node);
            assertThat(slice("job-b").getStatus().allocation().releasing()).isNull();
        });
        eachIsLedByAnother();
        ring(node, "ring-b", node.substring(1));
        repair("job-b");
        repair("job-a");
    }

    private void pause(boolean paused) {
        all.client
                .resources(OpticalFabric.class)
                .withName(SecondRing.FABRIC)
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"paused\":" + paused + "}}");
    }

    private void ring(String node, String ring, String position) {
        all.client
                .nodes()
                .withName(node)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"labels\":{\"lightpath.dev/ring\":\"" + ring
                                + "\",\"lightpath.dev/ring-position\":\"" + position + "\"}}}");
    }

    /** Every change of ring-b was made under an epoch whose holder had its Lease then. */
    private void nobodyWroteWithoutTheLease() throws IOException {
        Map<Long, String> holders = holders();
        List<LeaseHistory.Held> history = leases.of(OF_B);
        Map<String, Long> epochs = new HashMap<>();
        for (String text : second.audit()) {
            JsonNode line = JsonMapper.builder().build().readTree(text);
            long epoch = line.get("epoch").asLong();
            String device = line.get("device").asText();
            assertThat(epoch).as(text).isGreaterThanOrEqualTo(epochs.getOrDefault(device, 0L));
            epochs.put(device, epoch);
            Instant at = Instant.parse(line.get("at").asText());
            String holder = line.get("holder").asText().split("@")[0];
            assertThat(holders).as(text).containsEntry(epoch, holder);
            assertThat(history).as(text).anySatisfy(held -> {
                assertThat(held.holder()).isEqualTo(holder);
                assertThat(held.since()).isBefore(at);
                assertThat(next(history, held).plus(UNDER_WAY)).isAfter(at);
            });
        }
        assertThat(epochs.values().stream().distinct().count()).isGreaterThan(1);
        System.err.println("Lease of ring-b: " + history);
    }

    /** When another held the Lease after that. */
    private static Instant next(List<LeaseHistory.Held> history, LeaseHistory.Held held) {
        return history.subList(history.indexOf(held) + 1, history.size()).stream()
                .filter(later -> !later.holder().isEmpty())
                .map(LeaseHistory.Held::since)
                .findFirst()
                .orElse(Instant.MAX.minus(UNDER_WAY));
    }
}
