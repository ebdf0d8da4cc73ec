package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.LedgerStatus;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Devices know of an epoch that the API server does not: nothing moves until a person says so. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NewerDevicesIT {
    private static final int NODES = 16;
    private static final String TWO_GROUPS_OF_TWO =
            "{model: {preset: gpt-7b}, parallelism: {tensor: 8, data: 2}, scaleUp: {fabric: ring-a}}";
    private static final String STOPPED = "False LedgerOlderThanDevices";
    /** Several passes of a leader that has told what it saw. */
    private static final long LONG_ENOUGH_SECONDS = 3;

    private final Path folder;
    private Installation all;
    private LightLog light;

    NewerDevicesIT(@TempDir Path folder) {
        this.folder = folder;
    }

    @BeforeAll
    void install(ApiServer server) throws IOException {
        all = new Installation(server, Files.createDirectories(folder.resolve("first")), NODES);
        light = new LightLog(all.chaos);
        all.start();
    }

    @AfterEach
    void nothingIsLeft() {
        light.keepAllStill(false);
        all.client.resources(TrainingJob.class).inNamespace("default").delete();
        all.awaitNothingLeft();
    }

    @AfterAll
    void uninstall() throws IOException {
        all.close();
    }

    @Test
    void aLostConfigMapOfTheEpochStopsAllMovesUntilAPersonAccepts() throws InterruptedException {
        all.apply("lost", TWO_GROUPS_OF_TWO);
        all.awaitReady("lost");
        all.kill();
        epochMap(all).delete();

        String broken = stoppedWithAFault("lost");
        accept(all);
        awaitRepaired("lost", broken);

        // the epoch that was accepted stays accepted
        all.kill();
        all.eventually("it leads again", () -> assertThat(ready(all)).startsWith("True"));
    }

    @Test
    void recordsThatWereSetBackStopAllMovesUntilAPersonAccepts() throws InterruptedException {
        all.apply("back", TWO_GROUPS_OF_TWO);
        all.awaitReady("back");
        ConfigMap epoch = epochMap(all).get();
        FabricSlice before = all.slices().getFirst();
        // another leader repairs, and nobody will know of it
        all.kill();
        String first =
                before.getStatus().allocation().groups().getFirst().nodes().getFirst();
        all.mark(first, Map.of(LightpathAnnotations.FAULTY, "smoke"));
        awaitRepaired("back", first);
        all.kill();
        setBack(epoch);
        setBack(before);
        all.heal(first);

        String broken = stoppedWithAFault("back");
        // epochs that pass by what the devices know are no answer
        all.kill();
        all.eventually("it stays stopped", () -> assertThat(ready(all)).isEqualTo(STOPPED));
        all.kill();
        all.eventually("it stays stopped", () -> assertThat(ready(all)).isEqualTo(STOPPED));
        assertStill();
        foreignCircuits("Remove");
        accept(all);
        awaitRepaired("back", broken);
        foreignCircuits("Report");
    }

    /** No later epoch was ever used: only the revision of the records tells. */
    @Test
    void recordsThatWereSetBackUnderOneLeaderStopAllMovesToo() throws InterruptedException {
        all.apply("same", TWO_GROUPS_OF_TWO);
        all.awaitReady("same");
        all.eventually("the revision is told", () -> assertThat(ledger()).isNotNull());
        FabricSlice before = all.slices().getFirst();
        OpticalFabric backup = settled();
        String first =
                before.getStatus().allocation().groups().getFirst().nodes().getFirst();
        all.mark(first, Map.of(LightpathAnnotations.FAULTY, "smoke"));
        awaitRepaired("same", first);
        all.kill();
        setBack(before);
        fabrics().editStatus(now -> {
            now.setStatus(backup.getStatus());
            return now;
        });

        String broken = stoppedWithAFault("same");
        assertThat(ledger().newer()).isGreaterThan(ledger().revision());
        foreignCircuits("Remove");
        accept(all);
        awaitRepaired("same", broken);
        foreignCircuits("Report");
        all.eventually(
                "nothing newer is told any more",
                () -> assertThat(ledger().newer()).isNull());
    }

    /** Since the backup no node and no fabric is another: only records came. */
    @Test
    void recordsOfAJobThatWereLostUnderOneLeaderStopAllMovesToo() throws InterruptedException {
        all.apply("kept", TWO_GROUPS_OF_TWO);
        all.awaitReady("kept");
        all.eventually("the revision is told", () -> assertThat(ledger()).isNotNull());
        String kept = all.slices().getFirst().getMetadata().getName();
        all.apply("gone", TWO_GROUPS_OF_TWO);
        all.awaitReady("gone");
        all.delete("gone");
        all.eventually("its light is gone", () -> assertThat(all.slices()).hasSize(1));
        OpticalFabric backup = settled();
        all.apply("lost", TWO_GROUPS_OF_TWO);
        all.awaitReady("lost");
        all.kill();
        all.delete("lost");
        for (FabricSlice slice : all.slices()) {
            if (!slice.getMetadata().getName().equals(kept)) {
                lose(slice);
            }
        }
        assertThat(all.slices()).hasSize(1);
        fabrics().editStatus(now -> {
            now.setStatus(backup.getStatus());
            return now;
        });

        String broken = stoppedWithAFault("kept");
        assertThat(ledger().newer()).isGreaterThan(ledger().revision());
        foreignCircuits("Remove");
        accept(all);
        awaitRepaired("kept", broken);
        foreignCircuits("Report");
    }

    private void lose(FabricSlice slice) {
        var stored = all.client
                .resources(FabricSlice.class)
                .inNamespace("default")
                .withName(slice.getMetadata().getName());
        stored.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
        stored.delete();
    }

    /** The fabric once its status stands still. */
    private OpticalFabric settled() throws InterruptedException {
        OpticalFabric read = fabric(all);
        for (OpticalFabric earlier = null; !read.equals(earlier); read = fabric(all)) {
            earlier = read;
            TimeUnit.SECONDS.sleep(2);
        }
        return read;
    }

    private LedgerStatus ledger() {
        return fabric(all).getStatus().ledger();
    }

    private io.fabric8.kubernetes.client.dsl.Resource<OpticalFabric> fabrics() {
        return all.client.resources(OpticalFabric.class).withName("ring-a");
    }

    @Test
    void twoControlPlanesOfOneUidDoNotFightOverADriver() throws Exception {
        all.apply("mine", TWO_GROUPS_OF_TWO);
        all.awaitReady("mine");
        ConfigMap copy = epochMap(all).get();
        all.kill();
        String first = all.slices()
                .getFirst()
                .getStatus()
                .allocation()
                .groups()
                .getFirst()
                .nodes()
                .getFirst();
        all.mark(first, Map.of(LightpathAnnotations.FAULTY, "smoke"));
        awaitRepaired("mine", first);
        all.heal(first);
        long written = given(all);
        all.eventually("the epoch is told", () -> assertThat(epoch(all)).isEqualTo(written));

        try (ApiServer another = ApiServer.startWithResources();
                Installation second =
                        new Installation(another, Files.createDirectories(folder.resolve("second")), all)) {
            // as hostile as its administrator can make it: it wants all light gone
            second.client
                    .resources(OpticalFabric.class)
                    .withName("ring-a")
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            "{\"spec\":{\"adopt\":\"Reset\",\"policy\":{\"foreignCircuits\":\"Remove\"}}}");
            second.client.resource(fresh(copy)).create();
            light.keepAllStill(true);
            second.eventually("the copy stops", () -> assertThat(ready(second)).isEqualTo(STOPPED));
            assertStill();
            assertThat(epoch(all)).isEqualTo(written);
            assertThat(epoch(second)).isEqualTo(written);
            assertThat(ready(all)).isEqualTo("True Satisfied");

            // a person takes the copy for the right one: now the other stops, and neither answers the other
            light.keepAllStill(false);
            accept(second);
            second.eventually(
                    "the copy goes on", () -> assertThat(ready(second)).startsWith("True"));
            all.eventually("the original stops", () -> assertThat(ready(all)).isEqualTo(STOPPED));
            long taken = given(second);
            assertThat(taken).isGreaterThan(written);
            all.eventually("that epoch is told", () -> assertThat(epoch(all)).isEqualTo(taken));
            light.keepAllStill(true);
            assertStill();
            assertThat(epoch(all)).isEqualTo(taken);
            assertThat(given(second)).isEqualTo(taken);
            assertThat(given(all)).isEqualTo(written);
            light.keepAllStill(false);
        }
        accept(all);
        all.awaitReady("mine");
        all.eventually("the original has its light back", all::assertLightAsRecorded);
    }

    /** Starts the operator; a node of the job is faulty, which it would repair, and does not. */
    private String stoppedWithAFault(String job) throws InterruptedException {
        light.keepAllStill(true);
        all.eventually("changes are stopped", () -> assertThat(ready(all)).isEqualTo(STOPPED));
        String broken = all.slices()
                .getFirst()
                .getStatus()
                .allocation()
                .groups()
                .getLast()
                .nodes()
                .getLast();
        all.mark(broken, Map.of(LightpathAnnotations.FAULTY, "smoke"));
        all.eventually(
                "the fault is told",
                () -> assertThat(fabric(all).getStatus().faults())
                        .anyMatch(fault -> fault.subject().equals("node/" + broken)));
        assertStill();
        assertThat(ready(all)).isEqualTo(STOPPED);
        light.keepAllStill(false);
        return broken;
    }

    private void assertStill() throws InterruptedException {
        TimeUnit.SECONDS.sleep(LONG_ENOUGH_SECONDS);
        light.assertSound();
    }

    /** Circuits that the records do not explain any more are in the way of what they ask for. */
    private void foreignCircuits(String policy) {
        fabrics()
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\":{\"policy\":{\"foreignCircuits\":\"" + policy + "\"}}}");
    }

    private void awaitRepaired(String job, String broken) {
        all.eventually("the job is repaired", () -> {
            assertThat(all.slices().getFirst().getStatus().allocation().groups())
                    .noneMatch(group -> group.nodes().contains(broken));
            assertThat(all.says(job, "Ready")).isEqualTo("True Satisfied");
            all.assertLightAsRecorded();
        });
        all.heal(broken);
        light.assertSound();
    }

    private static OpticalFabric fabric(Installation of) {
        return of.client.resources(OpticalFabric.class).withName("ring-a").get();
    }

    private static String ready(Installation of) {
        OpticalFabric read = fabric(of);
        return read.getStatus() == null
                ? ""
                : read.getStatus().conditions().stream()
                        .filter(condition -> condition.getType().equals("Ready"))
                        .map(condition -> condition.getStatus() + " " + condition.getReason())
                        .findFirst()
                        .orElse("");
    }

    /** The last epoch that the operator gave itself. */
    private static long given(Installation of) {
        return Long.parseLong(epochMap(of).get().getData().get(LightpathNames.EPOCH_KEY));
    }

    /** What the driver has seen, as the fabric tells it. */
    private static long epoch(Installation of) {
        return fabric(of).getStatus().driver().epoch();
    }

    /** As {@code kubectl lightpath accept-devices} does. */
    private static void accept(Installation of) {
        LedgerStatus ledger = fabric(of).getStatus().ledger();
        Long newer = ledger == null ? null : ledger.newer();
        of.client
                .resources(OpticalFabric.class)
                .withName("ring-a")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"" + LightpathAnnotations.ACCEPTED_EPOCH + "\":\"" + epoch(of)
                                + "\""
                                + (newer == null
                                        ? ""
                                        : ",\"" + LightpathAnnotations.ACCEPTED_REVISION + "\":\"" + newer + "\"")
                                + "}}}");
    }

    private static io.fabric8.kubernetes.client.dsl.Resource<ConfigMap> epochMap(Installation of) {
        return of.client.configMaps().inNamespace(Installation.SYSTEM).withName(LightpathNames.EPOCH_CONFIG_MAP);
    }

    private static ConfigMap fresh(ConfigMap copied) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(copied.getMetadata().getName())
                .withNamespace(copied.getMetadata().getNamespace())
                .endMetadata()
                .withData(copied.getData())
                .build();
    }

    private void setBack(ConfigMap older) {
        epochMap(all).edit(now -> {
            now.setData(older.getData());
            return now;
        });
    }

    private void setBack(FabricSlice older) {
        all.client
                .resources(FabricSlice.class)
                .inNamespace("default")
                .withName(older.getMetadata().getName())
                .editStatus(now -> {
                    older.getMetadata().setResourceVersion(now.getMetadata().getResourceVersion());
                    return older;
                });
    }
}
