package dev.lightpath.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.slice.Demand;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceSpec;
import dev.lightpath.crds.slice.FabricSliceStatus;
import dev.lightpath.crds.slice.JobReference;
import dev.lightpath.crds.slice.ScaleUpDemand;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Announcement;
import dev.lightpath.planner.world.Announcement.Answer;
import dev.lightpath.planner.world.Announcement.Kind;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.reading.AllocationCodec;
import dev.lightpath.reading.SliceParts;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServerExtension.class)
class SliceLedgerIT {
    private static final int MEBIBYTE = 1 << 20;

    private KubernetesClient client;
    private SliceId id;
    private final List<SliceLedger> ledgers = new ArrayList<>();
    private final AtomicBoolean leads = new AtomicBoolean(true);

    @BeforeEach
    void makeSlice(ApiServer server, TestInfo test) {
        client = server.client();
        String namespace =
                "ledger-" + Integer.toUnsignedString(test.getDisplayName().hashCode(), 36);
        ApiServer.namespace(client, namespace);
        id = new SliceId(namespace, "llm-ring-a-1-abcde");
        makeSlice();
    }

    private void makeSlice() {
        FabricSlice slice = new FabricSlice();
        slice.setMetadata(new ObjectMetaBuilder()
                .withNamespace(id.namespace())
                .withName(id.name())
                .withFinalizers(LightpathNames.FINALIZER)
                .build());
        slice.setSpec(new FabricSliceSpec(
                "ring-a",
                new JobReference("llm", "5a1e0f9e-0000-4000-8000-000000000001", 1),
                0,
                new Demand(new ScaleUpDemand(8192, 16), null, null)));
        client.resource(slice).create();
    }

    @AfterEach
    void close() {
        slices().forEach(this::free);
        client.resources(FabricSlice.class).inNamespace(id.namespace()).delete();
        ledgers.forEach(SliceLedger::close);
        client.close();
    }

    /** Takes its finalizer, as nobody should. */
    private void free(FabricSlice slice) {
        client.resource(slice).patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\": {\"finalizers\": null}}");
    }

    private FabricSlice slice(String name) {
        return client.resources(FabricSlice.class)
                .inNamespace(id.namespace())
                .withName(name)
                .get();
    }

    private List<FabricSlice> parts() {
        return slices().stream().filter(SliceParts::isPart).toList();
    }

    private List<FabricSlice> slices() {
        return client.resources(FabricSlice.class)
                .inNamespace(id.namespace())
                .list()
                .getItems();
    }

    private SliceLedger ledger() {
        return ledger(this::slices);
    }

    private SliceLedger ledger(Supplier<List<FabricSlice>> watched) {
        SliceLedger ledger = new SliceLedger(client, watched, slice -> true, leads::get);
        ledgers.add(ledger);
        return ledger;
    }

    private static Allocation allocation(long revision, int nodes) {
        List<Allocation.Group> groups = new ArrayList<>();
        for (int first = 0; first < nodes; first += 4) {
            List<Allocation.Member> members = new ArrayList<>();
            for (int node = first; node < first + 4; node++) {
                members.add(new Allocation.Member("node-" + node, node));
            }
            groups.add(new Allocation.Group(members));
        }
        return new Allocation(revision, groups, new TreeSet<>());
    }

    private void record(SliceLedger ledger, Allocation allocation) throws Exception {
        String version = ledger.entries().get(id).version();
        CompletableFuture<Void> done = new CompletableFuture<>();
        ledger.record(
                List.of(new Decision.Adopt.Entry(id, version, allocation)),
                written -> {},
                (refused, why) -> {},
                () -> done.complete(null));
        done.get(300, TimeUnit.SECONDS);
    }

    private void recordNow(SliceLedger ledger, Allocation allocation) {
        try {
            record(ledger, allocation);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private Optional<Allocation> readAnew() {
        LedgerEntry entry = ledger().entries().get(id);
        return entry == null ? Optional.empty() : entry.allocation();
    }

    @Test
    void keeps131072GpusInSlicesBelowOneMebibyte() throws Exception {
        Allocation large = allocation(1, 32_768);
        SliceLedger ledger = ledger();
        record(ledger, large);
        assertThat(ledger.entries().get(id).allocation()).contains(large);
        assertThat(readAnew()).contains(large);
        assertThat(slices())
                .hasSize(3)
                .allSatisfy(slice -> assertThat(Serialization.asJson(slice).getBytes(StandardCharsets.UTF_8).length)
                        .isLessThan(MEBIBYTE));
        assertThat(slices())
                .filteredOn(SliceParts::isPart)
                .allSatisfy(part -> assertThat(part.getMetadata().getOwnerReferences())
                        .singleElement()
                        .satisfies(owner -> assertThat(owner.getName()).isEqualTo(id.name())));
    }

    /** Of a record of this many nodes, each of which is to move. */
    private static Allocation announced(long revision, int nodes) {
        Allocation before = allocation(revision, nodes);
        List<Allocation.Group> groups = new ArrayList<>();
        for (Allocation.Group group : before.groups()) {
            groups.add(new Allocation.Group(group.members().reversed()));
        }
        Instant at = Instant.parse("2026-01-01T00:00:00Z");
        return before.announced(new Announcement(
                before.nextRevision(),
                at,
                at.plusSeconds(300),
                new Announcement.Move(
                        groups, before.circuits(), Optional.empty(), Optional.empty(), Optional.of("uid"))));
    }

    @Test
    void aLargeMoveIsAnnouncedBesideALargeRecordUntilItIsMade() throws Exception {
        SliceLedger ledger = ledger();
        Allocation before = allocation(1, 12_000);
        record(ledger, before);
        Allocation asked = announced(1, 12_000);
        String uid = slice(id.name()).getMetadata().getUid();
        new PartStore(client).write(id, uid, SliceParts.split(AllocationCodec.write(asked)), () -> {});
        assertThat(readAnew()).as("without part 0 nothing is announced").contains(before);

        record(ledger, asked);
        assertThat(readAnew()).contains(asked);
        assertThat(slices())
                .hasSize(4)
                .allSatisfy(slice -> assertThat(Serialization.asJson(slice).getBytes(StandardCharsets.UTF_8).length)
                        .isLessThan(MEBIBYTE));
        Allocation moved = asked.moved(2, asked.awaited().orElseThrow());
        record(ledger, moved);
        assertThat(readAnew()).contains(moved);
        assertThat(slices()).as("the parts of the announcement are gone").hasSize(2);
    }

    @Test
    void aLargeMoveThatIsOffLeavesTheRecordAsItWas() throws Exception {
        SliceLedger ledger = ledger();
        Allocation asked = announced(1, 16_000);
        record(ledger, asked);
        assertThat(readAnew()).contains(asked);
        Announcement open = asked.announcement().orElseThrow();
        Allocation off = asked.announced(open.answered(new Answer(Kind.NOT_NEEDED, open.at())));
        record(ledger, off);
        assertThat(readAnew()).contains(off);
        assertThat(slices()).hasSize(2);
    }

    @Test
    void aNewRevisionTakesThePlaceOfAllParts() throws Exception {
        SliceLedger ledger = ledger();
        record(ledger, allocation(1, 32_768));
        Allocation next = allocation(2, 32_764);
        record(ledger, next);
        assertThat(readAnew()).contains(next);
        assertThat(slices()).hasSize(3);
        Allocation small = allocation(3, 8);
        record(ledger, small);
        assertThat(readAnew()).contains(small);
        assertThat(slices()).hasSize(1);
    }

    @Test
    void partsOfARevisionWithoutPartZeroAreVoid() throws Exception {
        Allocation first = allocation(1, 8);
        record(ledger(), first);
        String uid = slices().getFirst().getMetadata().getUid();
        new PartStore(client).write(id, uid, SliceParts.split(AllocationCodec.write(allocation(2, 32_768))), () -> {});
        assertThat(slices()).hasSize(3);
        assertThat(readAnew()).contains(first);
        // as an older version made them
        parts().forEach(this::free);

        Allocation again = allocation(2, 32_764);
        record(ledger(), again);
        assertThat(readAnew()).contains(again);
        assertThat(parts())
                .hasSize(2)
                .allSatisfy(part ->
                        assertThat(part.getMetadata().getFinalizers()).containsExactly(LightpathNames.FINALIZER));
    }

    /** As a namespace that is deleted, or somebody who means all of them, does. */
    @Test
    void aRecordStaysLegibleWhenAllOfItIsDeleted() throws Exception {
        Allocation large = allocation(1, 32_768);
        record(ledger(), large);
        client.resources(FabricSlice.class).inNamespace(id.namespace()).delete();
        SliceLedger ledger = ledger();
        assertThat(ledger.entries().get(id)).as("%s", ledger.unreadable()).isNotNull();
        assertThat(ledger.entries().get(id).allocation()).contains(large);
        assertThat(ledger.unreadable()).isEmpty();

        Allocation next = allocation(2, 32_764);
        record(ledger, next);
        assertThat(readAnew()).contains(next);
        assertThat(parts())
                .hasSize(2)
                .allSatisfy(part ->
                        assertThat(part.getMetadata().getDeletionTimestamp()).isNull());
    }

    @Test
    void aSliceThatIsWrittenAgainTakesNoPartOfTheOneBefore() throws Exception {
        record(ledger(), allocation(1, 32_768));
        client.resource(slice(SliceParts.name(id.name(), 1, 2))).delete();
        FabricSlice before = slice(id.name());
        free(before);
        client.resource(before).delete();
        makeSlice();

        Allocation again = allocation(1, 32_764);
        record(ledger(), again);
        assertThat(readAnew()).contains(again);
        String uid = slice(id.name()).getMetadata().getUid();
        assertThat(parts()).hasSize(2).allSatisfy(part -> {
            assertThat(part.getMetadata().getDeletionTimestamp()).isNull();
            assertThat(part.getMetadata().getOwnerReferences())
                    .singleElement()
                    .satisfies(owner -> assertThat(owner.getUid()).isEqualTo(uid));
        });
    }

    @Test
    void aRecordTakenOffTheApiServerIsKnownToBeLostUntilItIsWrittenAgain() throws Exception {
        Allocation record = allocation(3, 16);
        SliceLedger ledger = ledger();
        record(ledger, record);
        client.resources(FabricSlice.class)
                .inNamespace(id.namespace())
                .withName(id.name())
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON), "[{\"op\":\"remove\",\"path\":\"/status\"}]");

        assertThat(ledger.entries().get(id).lost()).isTrue();
        assertThat(ledger.entries().get(id).allocation()).contains(record);
        assertThat(readAnew()).isEmpty();

        record(ledger, record);
        assertThat(ledger.entries().get(id).lost()).isFalse();
        assertThat(readAnew()).contains(record);
    }

    @Test
    void whatOneWhoLedBeforeWritesLateIsNoticed() throws Exception {
        SliceLedger before = ledger();
        before.entries();
        SliceLedger after = ledger();
        record(after, allocation(1, 8));
        assertThat(before.entries().get(id).allocation()).contains(allocation(1, 8));
        record(before, allocation(2, 16));

        assertThat(after.entries().get(id).allocation()).contains(allocation(2, 16));
    }

    /** Whatever ends or is lost in between: a slice with light is known to have had a record. */
    @Test
    void aSliceIsMarkedBeforeItHasItsFirstRecord() throws Exception {
        List<FabricSlice> versions = new CopyOnWriteArrayList<>();
        try (Watch watch = client.resources(FabricSlice.class)
                .inNamespace(id.namespace())
                .watch(new Watcher<>() {
                    @Override
                    public void eventReceived(Action action, FabricSlice slice) {
                        versions.add(slice);
                    }

                    @Override
                    public void onClose(WatcherException cause) {}
                })) {
            record(ledger(), allocation(1, 8));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> versions.stream().anyMatch(SliceLedgerIT::hasRecord));
        }
        assertThat(versions).filteredOn(SliceLedgerIT::hasRecord).allMatch(RecordMarks::isMarked);
        assertThat(readAnew()).contains(allocation(1, 8));
    }

    private static boolean hasRecord(FabricSlice slice) {
        return slice.getStatus() != null && slice.getStatus().allocation() != null;
    }

    @Test
    void whoLeadsNoMoreWritesNothing() throws Exception {
        SliceLedger ledger = ledger();
        ledger.entries();
        leads.set(false);
        record(ledger, allocation(1, 8));

        assertThat(readAnew()).isEmpty();
        assertThat(slice(id.name())).matches(slice -> !RecordMarks.isMarked(slice));
    }

    /** Whoever leads by now may be writing the same revision. */
    @Test
    void whoLeadsNoMoreWritesNoPart() throws Exception {
        Allocation theirs = allocation(1, 32_768);
        SliceLedger ledger = ledger();
        ledger.entries();
        record(ledger(), theirs);
        leads.set(false);
        record(ledger, allocation(1, 32_764));

        assertThat(readAnew()).contains(theirs);
    }

    /** Two who both think that they lead: the later of two writes does not know the earlier one. */
    @Test
    void aPartThatSomebodyWroteMeanwhileIsNotWrittenOver() throws Exception {
        Allocation theirs = allocation(1, 32_768);
        String uid = slices().getFirst().getMetadata().getUid();
        SliceLedger next = ledger();
        next.entries();
        AtomicBoolean met = new AtomicBoolean();
        assertThatThrownBy(() -> new PartStore(client)
                        .write(id, uid, SliceParts.split(AllocationCodec.write(allocation(1, 32_764))), () -> {
                            if (!met.getAndSet(true)) {
                                recordNow(next, theirs);
                            }
                        }))
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        refused -> assertThat(refused.getCode()).isEqualTo(HttpURLConnection.HTTP_CONFLICT));

        assertThat(readAnew()).contains(theirs);
    }

    /** It hears of the end of slices late, or not at all. */
    @Test
    void whatOnlyAWatchStillShowsHasNoRecordToBeWritten() {
        List<FabricSlice> shown = new ArrayList<>(slices());
        SliceLedger ledger = ledger(() -> shown);
        shown.forEach(this::free);
        client.resources(FabricSlice.class).inNamespace(id.namespace()).delete();
        assertThat(slices()).isEmpty();

        assertThat(ledger.entries()).doesNotContainKey(id);

        makeSlice();
        shown.addAll(slices());
        shown.removeFirst();
        assertThat(ledger.entries().get(id).allocation()).isEmpty();
    }

    @Test
    void aMissingPartMakesTheRecordIllegible() throws Exception {
        record(ledger(), allocation(1, 32_768));
        FabricSlice part = slice(SliceParts.name(id.name(), 1, 2));
        free(part);
        client.resource(part).delete();
        SliceLedger ledger = ledger();
        assertThat(ledger.entries()).doesNotContainKey(id);
        assertThat(ledger.unreadable().get(id)).contains("part 2 of revision 1 is missing");
    }

    @Test
    void aNewerFormatIsIllegibleUntilItIsGone() throws Exception {
        SliceLedger ledger = ledger();
        record(ledger, allocation(1, 8));
        FabricSlice slice = slices().getFirst();
        slice.setStatus(new FabricSliceStatus(
                null,
                List.of(),
                new dev.lightpath.crds.slice.Allocation(2, 5, null, List.of(), List.of(), null),
                null));
        writeStatus(slice);
        SliceLedger fresh = ledger();
        assertThat(fresh.entries()).doesNotContainKey(id);
        assertThat(fresh.unreadable().get(id)).contains("allocation.format 2 is not known");

        FabricSlice back = slices().getFirst();
        back.setStatus(new FabricSliceStatus(null, List.of(), AllocationCodec.write(allocation(6, 8)), null));
        writeStatus(back);
        assertThat(fresh.entries().get(id).allocation()).contains(allocation(6, 8));
        assertThat(fresh.unreadable()).isEmpty();
    }

    /** Whatever its version is by now: the mark of a slice that had a record may come in between. */
    private void writeStatus(FabricSlice slice) {
        client.resource(slice)
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        Serialization.asJson(java.util.Map.of("status", slice.getStatus())));
    }
}
