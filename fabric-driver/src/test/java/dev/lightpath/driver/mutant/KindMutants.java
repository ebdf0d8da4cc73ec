package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.EnvironmentChanged;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import java.util.List;

/** Streams that carry more kinds than were asked for. */
final class KindMutants {
    private KindMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant("tells everybody of alarms", "reconnect/unasked-kinds") {
                    @Override
                    WatchRequest watch(WatchRequest request) {
                        return request.getKindsCount() > 0
                                ? request.toBuilder()
                                        .addKinds(StreamKind.STREAM_KIND_ALARMS)
                                        .build()
                                : request;
                    }
                },
                new Mutant("tells of electric power on a stream of circuits", "reconnect/unasked-kinds") {
                    private volatile boolean ofCircuits;

                    @Override
                    WatchRequest watch(WatchRequest request) {
                        ofCircuits |= request.getKindsList().equals(List.of(StreamKind.STREAM_KIND_CIRCUITS));
                        return request;
                    }

                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        return message.hasHeartbeat() && ofCircuits
                                ? List.of(message.toBuilder()
                                        .setEnvironmentChanged(EnvironmentChanged.newBuilder()
                                                .setEnvironment(
                                                        Environment.newBuilder().setPowerWatts(45)))
                                        .build())
                                : List.of(message);
                    }
                });
    }
}
