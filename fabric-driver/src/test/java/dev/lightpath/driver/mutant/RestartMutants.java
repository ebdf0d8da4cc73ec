package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Circuit;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/** Drivers that write down too late what a restart must not make them forget. */
final class RestartMutants {
    private RestartMutants() {}

    /** Tells something else of a circuit after a restart. */
    private static Mutant retelling(String bug, String requirement, BiConsumer<Circuit.Builder, Set<String>> circuit) {
        return new Mutant(bug, requirement) {
            private final Set<String> answered = ConcurrentHashMap.newKeySet();

            @Override
            ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                ApplyCircuitsResponse answer = super.apply(request);
                answered.add(request.getOperationId());
                return answer;
            }

            @Override
            GetCircuitsResponse circuits(GetCircuitsRequest request) {
                GetCircuitsResponse.Builder told = super.circuits(request).toBuilder();
                if (isRestarted()) {
                    told.getDevicesBuilderList()
                            .forEach(d -> d.getCircuitsBuilderList().forEach(c -> circuit.accept(c, answered)));
                }
                return told.build();
            }
        };
    }

    static List<Mutant> all() {
        return List.of(
                new Mutant("writes an epoch down with the end of its operation", "crash/epoch-under-way") {
                    private volatile long written;
                    private volatile long begun;

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        long epoch = request.getFencing().getEpoch();
                        if (isForgotten() && epoch < begun && epoch >= written) {
                            ApplyCircuitsRequest.Builder asked = request.toBuilder();
                            asked.getFencingBuilder().setEpoch(begun);
                            return super.apply(asked.build());
                        }
                        begun = epoch;
                        ApplyCircuitsResponse answer = super.apply(request);
                        written = epoch;
                        return answer;
                    }

                    private boolean isForgotten() {
                        return isRestarted() && begun > written;
                    }

                    @Override
                    GetCircuitsResponse circuits(GetCircuitsRequest request) {
                        GetCircuitsResponse.Builder told = super.circuits(request).toBuilder();
                        told.getDevicesBuilderList().stream()
                                .filter(d -> isForgotten() && d.getHighestEpoch() == begun)
                                .forEach(d -> d.setHighestEpoch(written));
                        return told.build();
                    }
                },
                retelling(
                        "writes down who made a circuit when it answers",
                        "crash/owner-of-what-was-cut",
                        (circuit, answered) -> {
                            if (!answered.contains(circuit.getOperationId())) {
                                circuit.setForeign(true).clearRole().clearOperationId();
                            }
                        }),
                retelling(
                        "takes what it finds when it starts for its own",
                        "crash/foreign-stays-foreign",
                        (circuit, answered) -> {
                            if (circuit.getForeign()) {
                                circuit.setForeign(false).setRole("lightpath-conformance");
                            }
                        }));
    }
}
