import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.ClearFaultsRequest;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.time.Duration;

/** Injects one fault into the emulator of a local environment, or ends faults: what {@code deploy/local/break} runs. */
final class Break {
    /** @param arguments port of the emulator; path, module, port, heal or nothing; device; place; kind; seconds; value; other port;
     *     the command that ends all faults of the device */
    public static void main(String[] arguments) {
        String place = arguments[1];
        String device = arguments[2];
        ManagedChannel channel = Grpc.newChannelBuilder("127.0.0.1:" + arguments[0], InsecureChannelCredentials.create())
                .build();
        try {
            var emulator = ChaosServiceGrpc.newBlockingStub(channel);
            if (place.equals("heal")) {
                int healed = emulator.clearFaults(
                                ClearFaultsRequest.newBuilder().setDeviceId(device).build())
                        .getCleared();
                System.out.println("healed " + healed + " faults" + (device.isEmpty() ? "" : " of " + device));
                return;
            }
            InjectFaultRequest.Builder fault = InjectFaultRequest.newBuilder()
                    .setDeviceId(device)
                    .setKind(FaultKind.valueOf(arguments[4]))
                    .setDurationMillis(Duration.ofSeconds(Long.parseLong(arguments[5])).toMillis());
            if (!arguments[6].isEmpty()) {
                fault.setValue(Double.parseDouble(arguments[6]));
            }
            fault.setOtherPort(arguments[7]);
            switch (place) {
                case "path" -> fault.setPath(arguments[3]);
                case "module" -> fault.setModule(arguments[3]);
                case "port" -> fault.setPort(arguments[3]);
                default -> {}
            }
            String id = emulator.injectFault(fault.build()).getFaultId();
            System.out.println("broke " + device + (place.isEmpty() ? "" : "/" + arguments[3]) + ": "
                    + arguments[4].substring("FAULT_KIND_".length()) + " (" + id + "); " + arguments[8]
                    + " heals " + (place.isEmpty() ? "it" : "all of " + device));
        } catch (StatusRuntimeException e) {
            System.err.println("break: " + e.getStatus().getDescription());
            System.exit(1);
        } catch (IllegalArgumentException e) {
            System.err.println("break: --kind " + arguments[4].substring("FAULT_KIND_".length())
                    + ": allowed is a kind of docs/reference/emulator.md");
            System.exit(1);
        } finally {
            channel.shutdownNow();
        }
    }
}
