package dev.lightpath.driver.gnmi;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.PathElem;
import com.github.gnmi.proto.TypedValue;
import com.github.gnmi.proto.Update;
import com.google.protobuf.ByteString;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Answers of servers to several questions at once. */
final class ByPathTest {
    private static final Path PORTS = path("sonic-ocs:sonic-ocs", "OCS_PORT");
    private static final Path STATES = path("sonic-ocs-states:sonic-ocs-states", "OCS_PORT");
    private static final List<Path> BOTH = List.of(PORTS, STATES);

    private static Path path(String... names) {
        return Path.newBuilder()
                .addAllElem(Stream.of(names)
                        .map(name -> PathElem.newBuilder().setName(name).build())
                        .toList())
                .build();
    }

    private static Notification told(Path prefix, Path at) {
        return Notification.newBuilder()
                .setPrefix(prefix)
                .addUpdate(Update.newBuilder()
                        .setPath(at)
                        .setVal(TypedValue.newBuilder().setJsonIetfVal(ByteString.copyFromUtf8("{}"))))
                .build();
    }

    private static Notification told(Path at) {
        return told(Path.getDefaultInstance(), at);
    }

    @Test
    void eachPathHasItsPart() {
        Notification ports = told(PORTS);
        Notification states = told(STATES);
        assertThat(ByPath.of(BOTH, List.of(ports, states)).orElseThrow())
                .containsEntry(PORTS, List.of(ports))
                .containsEntry(STATES, List.of(states));
    }

    @Test
    void aServerMayTellNamesWithoutModulesAPrefixAndDeeperPaths() {
        Notification ports = told(path("sonic-ocs"), path("OCS_PORT", "OCS_PORT_LIST"));
        assertThat(ByPath.of(List.of(PORTS), List.of(ports)).orElseThrow()).containsEntry(PORTS, List.of(ports));
    }

    @Test
    void aPathWithoutAnythingHasAnEmptyPart() {
        Notification nothing = Notification.getDefaultInstance();
        assertThat(ByPath.of(BOTH, List.of(nothing, told(STATES))).orElseThrow())
                .containsEntry(PORTS, List.of(nothing));
    }

    @Test
    void anotherAnswerIsNotGuessedAt() {
        assertThat(ByPath.of(BOTH, List.of(told(STATES), told(PORTS)))).isEmpty();
        assertThat(ByPath.of(BOTH, List.of(told(PORTS)))).isEmpty();
        assertThat(ByPath.of(BOTH, List.of(told(PORTS), told(STATES), told(STATES))))
                .isEmpty();
        assertThat(ByPath.of(BOTH, List.of(told(PORTS), told(path("sonic-ocs-states")))))
                .isEmpty();
    }
}
