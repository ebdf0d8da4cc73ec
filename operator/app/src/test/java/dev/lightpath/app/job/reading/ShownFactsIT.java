package dev.lightpath.app.job.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.plan.SampleJob;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.Demand;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceSpec;
import dev.lightpath.crds.slice.FabricSliceStatus;
import dev.lightpath.crds.slice.GroupAllocation;
import dev.lightpath.crds.slice.JobReference;
import dev.lightpath.crds.slice.ScaleUpDemand;
import dev.lightpath.reading.SliceParts;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is told of a job by what watches show. */
@ExtendWith(ApiServerExtension.class)
final class ShownFactsIT {
    private final TrainingJob job = new SampleJob().job();

    @Test
    void aRecordThatIsShownInPartTellsNothing(ApiServer server) {
        FabricSlice first = slice(SampleJob.SLICE, SampleJob.UID, 0, 2, 0);
        FabricSlice second = slice(SliceParts.name(SampleJob.SLICE, 1, 1), SampleJob.UID, 1, null, 1);
        assertThat(shown(server, List.of(first))).isEmpty();
        assertThat(shown(server, List.of(second, first)))
                .hasValueSatisfying(slices -> assertThat(slices)
                        .singleElement()
                        .satisfies(slice -> assertThat(
                                        slice.allocation().orElseThrow().groups())
                                .hasSize(2)));
    }

    @Test
    void slicesOfAnEarlierJobOfItsNameAreNotItsOwn(ApiServer server) {
        FabricSlice earlier = slice("earlier", "5a1e0f9e-0000-4000-8000-0000000000ff", 0, 2, 0);
        assertThat(shown(server, List.of(earlier)))
                .hasValueSatisfying(slices -> assertThat(slices).isEmpty());
    }

    private Optional<List<SliceFacts>> shown(ApiServer server, List<FabricSlice> slices) {
        try (KubernetesClient client = server.client()) {
            return FactsReader.of(client)
                    .shown(job, slices, fabric -> Optional.empty(), Instant.now())
                    .map(facts -> facts.slices());
        }
    }

    private static FabricSlice slice(String name, String uid, int part, Integer parts, int group) {
        FabricSlice slice = new FabricSlice();
        slice.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withNamespace("team-a")
                .withUid("uid-" + part)
                .build());
        slice.setSpec(new FabricSliceSpec(
                "ring-a", new JobReference("train", uid, 1), part, new Demand(new ScaleUpDemand(2, 8), null, null)));
        Allocation record = new Allocation(
                1,
                1,
                parts,
                List.of(new GroupAllocation(group, List.of("n" + 2 * group), List.of(2 * group))),
                List.of(),
                null);
        slice.setStatus(new FabricSliceStatus(1L, List.of(), record, null));
        return slice;
    }
}
