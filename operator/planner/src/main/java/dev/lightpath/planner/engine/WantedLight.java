package dev.lightpath.planner.engine;

import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The circuits that the records ask for, for showing them beside those that are there. */
public final class WantedLight {
    private WantedLight() {}

    /** By device, loopbacks included, also of nodes that no slice holds. O(nodes * reach + members). */
    public static SortedMap<String, CrossConnects> of(World world, RingIntent ring) {
        RingScene scene = RingScene.of(world, ring);
        List<Claim> claims = new ArrayList<>(Claim.of(world, ring));
        List<Misfit> misfits = Misfit.among(claims, ring.ring(), world.recording());
        misfits.forEach(misfit -> claims.remove(misfit.claim()));
        SortedMap<String, CrossConnects> wanted = new TreeMap<>();
        RingLight.of(scene, claims, misfits).wanted().forEach((node, device, circuits) -> wanted.put(node, circuits));
        return wanted;
    }

    /** By switch, as the records of a fabric of optical switches say. Linear in circuits. */
    public static SortedMap<String, CrossConnects> of(World world, OcsIntent spine) {
        List<Claim> claims = Claim.of(world, spine);
        return OcsLight.of(OcsScene.of(world, spine, claims), claims).wanted();
    }
}
