package org.azuremail.route;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Routes that never change. */
public final class FixedRoutes {

    private FixedRoutes() {}

    /** @param order the names of the routes for emails whose list chooses no other */
    public static Routes of(List<Route> routes, List<String> order) {
        Map<String, Route> byName = new LinkedHashMap<>();
        routes.forEach(route -> byName.put(route.name(), route));
        Routes.RouteTable known = new Routes.RouteTable(byName, order);
        return Routes.of(
                () -> known,
                routes.stream().map(route -> route.transport().concurrency()).toList());
    }
}
