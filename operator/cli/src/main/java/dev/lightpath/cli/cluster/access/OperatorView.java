package dev.lightpath.cli.cluster.access;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.lightpath.console.ReadBack;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of the leading operator's last pass, as served at {@code GET /view}. The circuits that were read back are
 * only there, because at rest the operator writes nothing.
 *
 * @param at the moment of the pass, RFC 3339
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record OperatorView(String at, long epoch, List<FabricView> fabrics, List<SliceView> slices) {
    public OperatorView {
        fabrics = fabrics == null ? List.of() : List.copyOf(fabrics);
        slices = slices == null ? List.of() : List.copyOf(slices);
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    public record FabricView(
            String name, DriverView driver, Figures circuits, List<String> foreign, List<DeviceView> devices) {}

    @JsonIgnoreProperties(ignoreUnknown = true)
    public record DriverView(
            String endpoint, boolean connected, @Nullable String problem) {}

    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Figures(int planned, int lit, int foreign, int missing) {}

    /**
     * @param presence present, silent, foreign, or unknown
     * @param ports what receivers of a switch measure, by port
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record DeviceView(
            String device,
            @Nullable Integer position,
            String presence,
            List<String> observed,
            List<String> missing,
            List<String> surplus,
            @Nullable Map<String, ReadBack.PortPower> ports) {
        /** What receivers measure, by port; empty where nothing does. */
        public Map<String, ReadBack.PortPower> measured() {
            return ports == null ? Map.of() : ports;
        }

        public boolean asMeant() {
            return "present".equals(presence) && missing.isEmpty() && surplus.isEmpty();
        }
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    public record SliceView(
            String namespace,
            String name,
            String fabric,
            @Nullable Long revision) {}
}
