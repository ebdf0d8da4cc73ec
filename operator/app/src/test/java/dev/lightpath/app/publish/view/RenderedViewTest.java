package dev.lightpath.app.publish.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.app.publish.status.Scenes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RenderedViewTest {
    private final RenderedView view = new RenderedView(Scenes.outcome());

    private static byte[] joined(List<byte[]> parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        parts.forEach(all::writeBytes);
        return all.toByteArray();
    }

    private static JsonNode read(List<byte[]> parts) throws IOException {
        return new ObjectMapper().readTree(joined(parts));
    }

    @Test
    void isOneDocument() throws IOException {
        JsonNode all = read(view.parts(true, Set.of("team")));
        assertThat(all.at("/epoch").asLong()).isEqualTo(7);
        assertThat(all.at("/decision").asText()).isEqualTo("apply");
        assertThat(all.at("/hiddenSlices").asInt()).isZero();
        assertThat(all.at("/inFlight").isArray()).isTrue();
        assertThat(all.at("/fabrics/0/circuits/planned").asInt()).isEqualTo(16);
        assertThat(all.at("/fabrics/0/driver/endpoint").asText()).isEqualTo(Scenes.DRIVER);
        assertThat(all.at("/slices/0/groups/0/members/1/position").asInt()).isEqualTo(1);
    }

    @Test
    void countsSlicesOfOtherNamespacesAndNamesNothingOfThem() throws IOException {
        JsonNode none = read(view.parts(false, Set.of("other")));
        assertThat(none.at("/hiddenSlices").asInt()).isEqualTo(1);
        assertThat(none.at("/fabrics")).isEmpty();
        assertThat(none.at("/slices")).isEmpty();
        assertThat(none.toString()).doesNotContain("team", "llm", "n0", "ring-a", Scenes.DRIVER);
    }

    @Test
    void showsSlicesWithoutFabricsAndFabricsWithoutSlices() throws IOException {
        JsonNode slices = read(view.parts(false, Set.of("team")));
        assertThat(slices.at("/slices")).hasSize(1);
        assertThat(slices.toString()).doesNotContain(Scenes.DRIVER);
        assertThat(read(view.parts(true, Set.of())).at("/fabrics")).hasSize(1);
    }

    @Test
    void isRenderedOnceForAllWhoAsk() {
        List<byte[]> first = view.parts(true, Set.of("team"));
        List<byte[]> second = view.parts(true, Set.of("team"));
        assertThat(second.get(2)).isSameAs(first.get(2));
        assertThat(second.get(4)).isSameAs(first.get(4));
        assertThat(view.parts(false, Set.of("team")).get(4)).isSameAs(first.get(4));
    }
}
