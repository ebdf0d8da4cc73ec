package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Atomicity;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Circuits that the policy broke, forgotten. */
final class ImpliedMutants {
    private ImpliedMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant(
                        "puts back what was named, and not what the policy broke", "partial/all-or-nothing-implied") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsResponse told = super.apply(request);
                        List<CircuitKey> implied = told.getOperation().getItemsList().stream()
                                .filter(ItemResult::getImplied)
                                .map(ItemResult::getKey)
                                .toList();
                        if (request.getAtomicity() == Atomicity.ATOMICITY_ALL_OR_NOTHING && !implied.isEmpty()) {
                            var unused = super.apply(request.toBuilder()
                                    .setOperationId(UUID.randomUUID().toString())
                                    .clearConnects()
                                    .clearDisconnects()
                                    .addAllDisconnects(implied)
                                    .build());
                        }
                        return told;
                    }
                },
                new Mutant("takes for foreign what all or nothing put back", "partial/all-or-nothing-implied") {
                    private final Set<CircuitKey> back = ConcurrentHashMap.newKeySet();

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsResponse told = super.apply(request);
                        back.clear();
                        if (request.getAtomicity() == Atomicity.ATOMICITY_ALL_OR_NOTHING) {
                            told.getOperation().getItemsList().stream()
                                    .filter(ItemResult::getImplied)
                                    .map(ItemResult::getKey)
                                    .forEach(back::add);
                        }
                        return told;
                    }

                    @Override
                    GetCircuitsResponse circuits(GetCircuitsRequest request) {
                        GetCircuitsResponse.Builder told = super.circuits(request).toBuilder();
                        told.getDevicesBuilderList().stream()
                                .flatMap(d -> d.getCircuitsBuilderList().stream())
                                .filter(c -> back.contains(c.getKey()))
                                .forEach(c -> c.setForeign(true).clearRole().clearOperationId());
                        return told.build();
                    }
                });
    }
}
