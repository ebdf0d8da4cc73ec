package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Circuit;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Drivers that are right as long as there is little to tell. */
final class ManyMutants {
    private static final String MANY = "circuits/many";
    private static final int PAGE = 10;

    private ManyMutants() {}

    private static <T> List<T> page(List<T> all) {
        return List.copyOf(all.subList(0, Math.min(PAGE, all.size())));
    }

    private static String digest(List<Circuit> circuits) {
        StringBuilder lines = new StringBuilder();
        circuits.forEach(c -> lines.append(c.getKey().getIngress())
                .append('>')
                .append(c.getKey().getEgress())
                .append('\n'));
        try {
            return "sha256:"
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256")
                                    .digest(lines.toString().getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private static Operation firstItems(Operation operation) {
        List<ItemResult> first = page(operation.getItemsList());
        return operation.toBuilder().clearItems().addAllItems(first).build();
    }

    /** Remembers the first items of each change. */
    private static class Forgetful extends Mutant {
        Forgetful(String bug) {
            super(bug, MANY);
        }

        @Override
        GetOperationResponse operation(GetOperationRequest request) {
            return GetOperationResponse.newBuilder()
                    .setOperation(firstItems(super.operation(request).getOperation()))
                    .build();
        }
    }

    static List<Mutant> all() {
        return List.of(
                new Mutant("reads the first page of circuits from a device", MANY) {
                    @Override
                    GetCircuitsResponse circuits(GetCircuitsRequest request) {
                        GetCircuitsResponse.Builder told = super.circuits(request).toBuilder();
                        for (DeviceCircuits.Builder device : told.getDevicesBuilderList()) {
                            List<Circuit> first = page(device.getCircuitsList());
                            device.clearCircuits().addAllCircuits(first).setObservedDigest(digest(first));
                        }
                        return told.build();
                    }
                },
                new Mutant("shows the first page of circuits, and the digest of all", MANY) {
                    @Override
                    GetCircuitsResponse circuits(GetCircuitsRequest request) {
                        GetCircuitsResponse.Builder told = super.circuits(request).toBuilder();
                        for (DeviceCircuits.Builder device : told.getDevicesBuilderList()) {
                            List<Circuit> first = page(device.getCircuitsList());
                            device.clearCircuits().addAllCircuits(first);
                        }
                        return told.build();
                    }
                },
                new Mutant("takes the digest of the first page of circuits", MANY) {
                    @Override
                    GetCircuitsResponse circuits(GetCircuitsRequest request) {
                        GetCircuitsResponse.Builder told = super.circuits(request).toBuilder();
                        told.getDevicesBuilderList()
                                .forEach(d -> d.setObservedDigest(digest(page(d.getCircuitsList()))));
                        return told.build();
                    }
                },
                new Forgetful("tells of the first items of a change") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsResponse answer = super.apply(request);
                        return request.getValidateOnly()
                                ? answer
                                : answer.toBuilder()
                                        .setOperation(firstItems(answer.getOperation()))
                                        .build();
                    }
                },
                new Forgetful("remembers the first items of a change"),
                new Mutant("breaks no more circuits at once than fit one message to the device", MANY) {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        if (request.getDisconnectsCount() <= PAGE || request.getValidateOnly()) {
                            return super.apply(request);
                        }
                        ApplyCircuitsRequest.Builder some = request.toBuilder();
                        some.clearDisconnects().addAllDisconnects(page(request.getDisconnectsList()));
                        ApplyCircuitsResponse.Builder answer = super.apply(some.build()).toBuilder();
                        List<ItemResult> told = new ArrayList<>();
                        request.getDisconnectsList()
                                .forEach(k -> told.add(answer.getOperation().getItems(0).toBuilder()
                                        .setKey(k)
                                        .build()));
                        answer.getOperationBuilder().clearItems().addAllItems(told);
                        return answer.build();
                    }
                },
                new Mutant("has the first page of circuits in its snapshots", MANY) {
                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        WatchResponse.Builder less = message.toBuilder();
                        if (message.hasSnapshot()) {
                            less.getSnapshotBuilder()
                                    .clearCircuits()
                                    .addAllCircuits(page(message.getSnapshot().getCircuitsList()));
                        }
                        return List.of(less.build());
                    }
                },
                new Mutant("tells of the first circuits that are gone", MANY) {
                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        WatchResponse.Builder less = message.toBuilder();
                        if (message.hasCircuitsChanged()) {
                            less.getCircuitsChangedBuilder()
                                    .clearRemoved()
                                    .addAllRemoved(
                                            page(message.getCircuitsChanged().getRemovedList()));
                        }
                        return List.of(less.build());
                    }
                });
    }
}
