package dev.lightpath.sim.gnmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.gnmi.proto.CapabilityRequest;
import com.github.gnmi.proto.Encoding;
import com.github.gnmi.proto.GetRequest;
import com.github.gnmi.proto.ModelData;
import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.PathElem;
import com.github.gnmi.proto.SetRequest;
import com.github.gnmi.proto.SubscribeRequest;
import com.github.gnmi.proto.SubscribeResponse;
import com.github.gnmi.proto.Subscription;
import com.github.gnmi.proto.SubscriptionList;
import com.github.gnmi.proto.SubscriptionMode;
import com.github.gnmi.proto.TypedValue;
import com.github.gnmi.proto.Update;
import com.github.gnmi.proto.gNMIGrpc;
import com.google.protobuf.ByteString;
import dev.lightpath.sim.Emulator;
import dev.lightpath.sim.scenario.Scenario;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class GnmiFrontTest {
    private static final String CONFIG = "sonic-ocs:sonic-ocs";
    private static final String STATES = "sonic-ocs-states:sonic-ocs-states";

    private Emulator emulator;
    private ManagedChannel plain;

    private Channel start(String quirks) {
        emulator = Emulator.start(Scenario.parse("test.yaml", """
                listen: 127.0.0.1:0
                devices:
                  - {id: ocs-1, kind: switch, preset: mems, ports: 16, twoSided: true}
                gnmi:
                  - {device: ocs-1, listen: "127.0.0.1:0", user: admin, password: "pass-1", quirks: [%s]}
                """.formatted(quirks)));
        plain = NettyChannelBuilder.forAddress(
                        "127.0.0.1", emulator.gnmi("ocs-1").port())
                .usePlaintext()
                .build();
        Metadata shown = new Metadata();
        shown.put(Metadata.Key.of("username", Metadata.ASCII_STRING_MARSHALLER), "admin");
        shown.put(Metadata.Key.of("password", Metadata.ASCII_STRING_MARSHALLER), "pass-1");
        return ClientInterceptors.intercept(plain, MetadataUtils.newAttachHeadersInterceptor(shown));
    }

    @AfterEach
    void stop() {
        plain.shutdownNow();
        emulator.close();
    }

    private static gNMIGrpc.gNMIBlockingStub calls(Channel channel) {
        return gNMIGrpc.newBlockingStub(channel).withDeadlineAfter(30, TimeUnit.SECONDS);
    }

    private static Path path(String... names) {
        Path.Builder path = Path.newBuilder();
        for (String name : names) {
            path.addElem(PathElem.newBuilder().setName(name));
        }
        return path.build();
    }

    private static Path circuit(String id) {
        return path(CONFIG, "OCS_CROSS_CONNECT").toBuilder()
                .addElem(PathElem.newBuilder().setName("OCS_CROSS_CONNECT_LIST").putKey("cross_connect_id", id))
                .build();
    }

    private static Update update(String a, String b) {
        String id = a + "-" + b;
        return Update.newBuilder()
                .setPath(circuit(id))
                .setVal(TypedValue.newBuilder()
                        .setJsonIetfVal(ByteString.copyFromUtf8(
                                "{\"sonic-ocs:OCS_CROSS_CONNECT_LIST\":[{\"cross_connect_id\":\"%s\",\"a_side\":\"%s\",\"b_side\":\"%s\"}]}"
                                        .formatted(id, a, b))))
                .build();
    }

    private static String get(Channel channel, Path path) {
        return calls(channel)
                .get(GetRequest.newBuilder()
                        .addPath(path)
                        .setEncoding(Encoding.JSON_IETF)
                        .build())
                .getNotification(0)
                .getUpdate(0)
                .getVal()
                .getJsonIetfVal()
                .toStringUtf8();
    }

    @Test
    void aCircuitIsProvisionedThenTuned() {
        Channel channel = start("");
        assertThat(calls(channel)
                        .capabilities(CapabilityRequest.getDefaultInstance())
                        .getSupportedModelsList())
                .extracting(ModelData::getName)
                .contains("sonic-ocs", "sonic-ocs-states");
        assertThat(get(channel, path(CONFIG, "OCS_CROSS_CONNECT"))).isEqualTo("{\"sonic-ocs:OCS_CROSS_CONNECT\":{}}");
        var unused = calls(channel)
                .set(SetRequest.newBuilder().addUpdate(update("1A", "2B")).build());
        assertThat(get(channel, path(CONFIG, "OCS_CROSS_CONNECT")))
                .isEqualTo("{\"sonic-ocs:OCS_CROSS_CONNECT\":{\"OCS_CROSS_CONNECT_LIST\":"
                        + "[{\"a_side\":\"1A\",\"b_side\":\"2B\",\"cross_connect_id\":\"1A-2B\"}]}}");
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> get(channel, path(STATES, "OCS_CROSS_CONNECT"))
                        .contains("\"a_side_status\":\"tuned\",\"b_side\":\"2B\",\"b_side_status\":\"tuned\""));
        assertThat(get(channel, path(STATES, "OCS_PORT")))
                .contains("\"status\":\"tuned\",\"target_simplex_port_id\":\"2B\"");
    }

    @Test
    void aSetIsTakenAsAWholeOrNotAndBreaksBeforeItMakes() {
        Channel channel = start("");
        var unused = calls(channel)
                .set(SetRequest.newBuilder().addUpdate(update("1A", "2B")).build());
        assertThatThrownBy(() -> calls(channel)
                        .set(SetRequest.newBuilder()
                                .addUpdate(update("3A", "3B"))
                                .addUpdate(update("4A", "2B"))
                                .build()))
                .hasMessageContaining("a port of 4A-2B is part of 1A-2B");
        assertThat(get(channel, path(CONFIG, "OCS_CROSS_CONNECT"))).doesNotContain("3A");
        var moved = calls(channel)
                .set(SetRequest.newBuilder()
                        .addDelete(circuit("1A-2B"))
                        .addUpdate(update("4A", "2B"))
                        .build());
        assertThat(moved.getResponseCount()).isEqualTo(2);
        assertThat(get(channel, path(CONFIG, "OCS_CROSS_CONNECT")))
                .contains("4A-2B")
                .doesNotContain("1A-2B");
    }

    @Test
    void whoListensHearsOfAChange() {
        Channel channel = start("");
        List<SubscribeResponse> heard = new CopyOnWriteArrayList<>();
        StreamObserver<SubscribeRequest> asking = gNMIGrpc.newStub(channel).subscribe(new StreamObserver<>() {
            @Override
            public void onNext(SubscribeResponse message) {
                heard.add(message);
            }

            @Override
            public void onError(Throwable over) {}

            @Override
            public void onCompleted() {}
        });
        asking.onNext(SubscribeRequest.newBuilder()
                .setSubscribe(SubscriptionList.newBuilder()
                        .setUpdatesOnly(true)
                        .addSubscription(Subscription.newBuilder()
                                .setPath(path(STATES, "OCS_CROSS_CONNECT"))
                                .setMode(SubscriptionMode.ON_CHANGE)))
                .build());
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> heard.stream().anyMatch(SubscribeResponse::getSyncResponse));
        var unused = calls(channel)
                .set(SetRequest.newBuilder().addUpdate(update("1A", "1B")).build());
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> heard.toString().contains("tuned"));
    }

    @Test
    void aStrangerIsToldNothing() {
        Channel unusedChannel = start("");
        assertThatThrownBy(() -> get(plain, path(CONFIG, "OCS_PORT"))).hasMessageContaining("wrong user or password");
    }
}
