package dev.lightpath.driver;

import dev.lightpath.driver.config.AdapterConfig.GnmiDevice;
import dev.lightpath.driver.config.AdapterConfig.GnmiLogin;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import io.grpc.ManagedChannel;
import java.util.Optional;
import java.util.OptionalLong;

/** A driver in front of a switch with gNMI, which a test makes as it should not be. */
abstract class GnmiTrial extends ManagedTrial {
    GnmiPlant plant(int side, String quirks) throws Exception {
        GnmiPlant plant = new GnmiPlant(directory, side, quirks);
        open.add(plant);
        return plant;
    }

    static GnmiDevice changed(
            GnmiDevice of, int port, Optional<GnmiLogin> login, String size, OptionalLong electionId) {
        return new GnmiDevice(of.id(), "127.0.0.1:" + port, login, of.serverName(), size, "", electionId, of.poll());
    }

    static GnmiDevice at(GnmiDevice of, int port) {
        return changed(of, port, of.login(), "", OptionalLong.empty());
    }

    static Operation operation(ManagedChannel driver, ApplyCircuitsRequest.Builder request) {
        return apply(driver, request.build());
    }

    static int portOf(GnmiDevice device) {
        return Integer.parseInt(device.endpoint().substring(device.endpoint().lastIndexOf(':') + 1));
    }
}
