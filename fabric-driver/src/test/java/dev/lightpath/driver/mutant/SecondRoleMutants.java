package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.UUID;

/** Drivers that remember, when they restart, the first role that wrote to a device. */
final class SecondRoleMutants {
    private static final String OPERATIONS = "crash/operations-of-both-roles";
    private static final String FENCE = "crash/fence-of-the-second-role";
    private static final String FIRST = "lightpath-conformance";

    private SecondRoleMutants() {}

    private static boolean isSecond(String role) {
        return !role.equals(FIRST);
    }

    static List<Mutant> all() {
        return List.of(
                new Mutant("forgets the operations of a second role when it restarts", OPERATIONS) {
                    @Override
                    GetOperationResponse operation(GetOperationRequest request) {
                        if (isRestarted() && isSecond(request.getRole())) {
                            throw Answers.refused(Status.Code.NOT_FOUND, "NO_SUCH_OPERATION");
                        }
                        return super.operation(request);
                    }
                },
                new Mutant("does again after a restart what a second role asked for", OPERATIONS) {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return super.apply(
                                isRestarted() && isSecond(request.getFencing().getRole())
                                        ? request.toBuilder()
                                                .setOperationId(
                                                        UUID.randomUUID().toString())
                                                .build()
                                        : request);
                    }
                },
                new Mutant("knows operations by their id alone when it restarts", OPERATIONS) {
                    @Override
                    GetOperationResponse operation(GetOperationRequest request) {
                        if (isRestarted() && isSecond(request.getRole())) {
                            try {
                                return super.operation(
                                        request.toBuilder().setRole(FIRST).build());
                            } catch (StatusRuntimeException onlyTheirs) {
                                return super.operation(request);
                            }
                        }
                        return super.operation(request);
                    }
                },
                new Mutant("takes any epoch of a second role when it restarts", FENCE) {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        try {
                            return super.apply(request);
                        } catch (StatusRuntimeException e) {
                            if (isRestarted()
                                    && Answers.isFor(e, "STALE_EPOCH")
                                    && isSecond(request.getFencing().getRole())) {
                                ApplyCircuitsRequest.Builder higher = request.toBuilder();
                                higher.getFencingBuilder()
                                        .setEpoch(Long.parseUnsignedLong(Answers.detail(e, "stored_epoch")));
                                return super.apply(higher.build());
                            }
                            throw e;
                        }
                    }
                },
                new Mutant("lets the first role write again when it restarts", FENCE) {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        try {
                            return super.apply(request);
                        } catch (StatusRuntimeException e) {
                            if (isRestarted()
                                    && Answers.isFor(e, "FOREIGN_ROLE")
                                    && !isSecond(request.getFencing().getRole())) {
                                return Answers.applied(request);
                            }
                            throw e;
                        }
                    }
                },
                new Mutant("gives all circuits to who holds the device when it restarts", FENCE) {
                    @Override
                    GetCircuitsResponse circuits(GetCircuitsRequest request) {
                        GetCircuitsResponse.Builder told = super.circuits(request).toBuilder();
                        told.getDevicesBuilderList().stream()
                                .filter(d -> isRestarted())
                                .forEach(d -> d.getCircuitsBuilderList().stream()
                                        .filter(c -> !c.getRole().isEmpty())
                                        .forEach(c -> c.setRole(d.getHoldingRole())));
                        return told.build();
                    }
                });
    }
}
