package org.azuremail.web.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.message.Outcome;
import org.azuremail.web.EndedMessage;
import org.azuremail.web.PageTestConfiguration;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Sends invalid values to every page and call. They may be refused, but nothing may break. {@code
 * -Dazuremail.test.odd=20} sends every odd value to each of them, as infra/prove does.
 */
@OpenPort
class OddRequestsIT {

    /** The odd values, encoded for an address. */
    private static final List<String> ODD = Stream.of(
                    "%00",
                    "%ED%A0%80",
                    "%C0%AE",
                    "%F0%9F%92%A5",
                    "a".repeat(3000),
                    "-1",
                    "0",
                    "99999999999999999999",
                    "%0D%0ASet-Cookie:%20x",
                    "%7Bx%7D",
                    "/%7Bx%7D",
                    "AAAA",
                    "MTIzNA==",
                    "bWVzc2FnZQ.x",
                    "%FF%FE",
                    "2026-13-45T99:99",
                    "%27%22%3C%3E",
                    "NaN",
                    "%20",
                    "")
            .toList();

    private static final List<String> TYPES = List.of(
            "application/json",
            "text/plain",
            "text/csv",
            "text/csv;charset=nonsense",
            "multipart/form-data",
            "multipart/form-data; boundary=x",
            "application/x-www-form-urlencoded;charset=nonsense",
            "application/json;charset=UTF-32",
            "application/merge-patch+json",
            "nonsense",
            "*/*");

    /**
     * The bodies, one for each content type of a page or call in turn. Their number and that of the types have no
     * common divisor, so every pair is sent somewhere.
     */
    private static final List<String> BODIES = List.of(
            "",
            "null",
            "[",
            "[]",
            "\"\\ud800\"",
            "1e999999",
            "{\"a\":".repeat(300),
            "--x\r\nContent-Disposition: form-data; name=\"html\"; filename=\"\u0000\"\r\n\r\nx\r\n--x--");

    /** The number of odd values for each page and call. They take turns. */
    private static final int ODD_EACH = Integer.getInteger("azuremail.test.odd", 3);

    /** The number of odd values for each parameter alone. They take turns. */
    private static final int ODD_ALONE = (ODD_EACH + 1) / 2;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Set<String> broken = new TreeSet<>();
    private final Set<List<String>> sent = new HashSet<>();

    @LocalServerPort
    int port;

    @Autowired
    @Qualifier("requestMappingHandlerMapping")
    RequestMappingHandlerMapping mapping;

    @Autowired
    TestBrowser browser;

    @Autowired
    EndedMessage ended;

    private String cookies = "";
    private String token = "";
    private String message = "";
    private int turn;
    private int next;
    private int pair;
    private int forms;

    /** A page or call. */
    private record Route(String address, String method, Set<String> names, List<String> fixed, Set<String> fields) {}

    @Test
    void nothingThatCanBeSentBreaksAPageOrACall() throws Exception {
        browser.signIn();
        token = browser.open("/lists/new").page().select("input[name=_csrf]").attr("value");
        cookies = browser.cookies().values().stream()
                .map(cookie -> cookie.getName() + "=" + cookie.getValue())
                .collect(Collectors.joining("; "));
        message = ended.completed("odd_requests", Map.of("a@odd.test", Outcome.SENT))
                .ref()
                .toString();

        List<Route> routes = routes();
        assertThat(routes).hasSizeGreaterThan(100);
        for (Route route : routes) {
            tryAll(route);
        }

        System.out.printf("odd requests: %d, each once%n", sent.size());
        assertThat(sent).hasSizeGreaterThan(1_200 * ODD_EACH);
        assertThat(broken).isEmpty();
    }

    private void tryAll(Route route) throws Exception {
        for (int i = 0; i < ODD_EACH; i++) {
            String odd = ODD.get(turn++ % ODD.size());
            send(route, address(route, odd), List.of(), odd);
            send(route, address(route, null), all(route.names(), odd), odd);
            if (!route.fields().isEmpty()) {
                sendJson(route, odd);
            }
        }
        sendOneOddAmongValid(route);
        for (String name : route.names()) {
            send(route, address(route, null), List.of(name + "=a", name + "=b"), "twice");
            send(route, address(route, null), List.of(name + "%5B0%5D.x=a", name + ".class.name=b"), "nested");
        }
        if (!route.method().equals("GET")) {
            for (String type : TYPES) {
                exchange(route, address(route, null), type, BODIES.get(pair++ % BODIES.size()));
            }
        }
    }

    /** Sends every third form in the address and the others in the body, so that requests sent in pairs try both. */
    private void send(Route route, String address, List<String> parameters, String odd) throws Exception {
        List<String> all =
                Stream.concat(parameters.stream(), route.fixed().stream()).toList();
        String form = String.join("&", all);
        if (route.method().equals("GET")) {
            exchange(route, address + "?" + form, null, null);
        } else if (++forms % 3 != 0) {
            exchange(route, address + "?_csrf=" + token, "application/x-www-form-urlencoded", form);
        } else {
            exchange(route, address + "?_csrf=" + token + "&" + form, null, "");
        }
    }

    /** Sends each parameter alone with a few odd values in turn, because an odd list would hide errors after it. */
    private void sendOneOddAmongValid(Route route) throws Exception {
        for (String odd : route.names()) {
            for (int i = 0; i < ODD_ALONE; i++) {
                String value = ODD.get(next++ % ODD.size());
                List<String> values = route.names().stream()
                        .map(name -> name + "=" + (name.equals(odd) ? value : valid(name)))
                        .toList();
                send(route, address(route, null), values, value);
            }
        }
    }

    private String valid(String name) {
        return switch (name) {
            case "list", "lists", "name" -> "odd_requests";
            case "ref" -> message;
            case "email", "emails", "address", "fromEmail", "replyTo", "reader", "to" -> "a%40odd.test";
            case "act" -> "SAVE";
            case "date", "lastDay", "from", "until" -> "2027-01-31";
            case "time" -> "12:00";
            case "zone" -> "UTC";
            case "page", "before", "after", "next" -> "";
            case "field" -> "name";
            case "scope" -> "METRICS";
            case "format" -> "markdown";
            case "etag", "id" -> "x";
            default -> "1";
        };
    }

    private void sendJson(Route route, String odd) throws Exception {
        String value = odd.equals("%ED%A0%80")
                ? "\\ud800"
                : java.net.URLDecoder.decode(odd, UTF_8).replaceAll("[\\p{Cntrl}\"]", "\\\\u0000");
        for (String json :
                List.of("\"" + value + "\"", "-1", "[]", "{\"" + value + "\":\"" + value + "\"}", "[null]", "true")) {
            String body = route.fields().stream()
                    .map(field -> "\"" + field + "\":" + json)
                    .collect(Collectors.joining(",", "{", "}"));
            exchange(route, address(route, null), "application/json", body);
            for (String field : route.fields()) {
                exchange(route, address(route, null), "application/json", "{\"" + field + "\":" + json + "}");
            }
        }
    }

    /**
     * Sends a request unless it was sent before: where an address has no place for odd values, they result in the same
     * request.
     */
    private void exchange(Route route, String address, String type, String body) throws Exception {
        if (!sent.add(Arrays.asList(route.method(), address, type, body))) {
            return;
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + address))
                .method(route.method(), body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (type != null) {
            request.header("Content-Type", type);
        }
        if (address.startsWith("/api/")) {
            request.header("Authorization", "Bearer " + PageTestConfiguration.API_KEY);
        } else {
            request.header("Cookie", cookies).header("Accept", "text/html");
        }
        int status = http.send(request.build(), BodyHandlers.discarding()).statusCode();
        if (status >= 500) {
            String shown = address.length() > 160 ? address.substring(0, 160) : address;
            String sent = body == null ? "" : body.substring(0, Math.min(body.length(), 80));
            broken.add(status + " " + route.method() + " " + shown + " " + type + " " + sent);
        }
    }

    private static List<String> all(Set<String> names, String value) {
        return names.stream().map(name -> name + "=" + value).toList();
    }

    private String address(Route route, String odd) {
        return route.address()
                .replace("{list}", odd == null ? "odd_requests" : odd)
                .replace("{ref}", odd == null ? message : odd)
                .replace("{messageRef}", odd == null ? message : odd)
                .replaceAll("\\{[a-zA-Z]+(:([^{}]|\\{[^}]*})*)?}", odd == null ? "a%40odd.test" : odd)
                .replace("**", odd == null ? "x" : odd);
    }

    private List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        for (Map.Entry<RequestMappingInfo, HandlerMethod> one :
                mapping.getHandlerMethods().entrySet()) {
            Set<RequestMethod> methods = one.getKey().getMethodsCondition().getMethods();
            for (String pattern : one.getKey().getPatternValues()) {
                for (RequestMethod method : methods.isEmpty() ? Set.of(RequestMethod.POST) : methods) {
                    routes.add(route(pattern, method.name(), one.getKey(), one.getValue()));
                }
            }
        }
        routes.sort(
                Comparator.comparing((Route route) -> isLast(route.address())).thenComparing(Route::address));
        return routes;
    }

    /** Returns whether the request ends a session or deletes a list. Such requests come after all others. */
    private static boolean isLast(String address) {
        return address.matches(".*(delete|sign-out|remove|password|everywhere).*")
                || address.equals("/api/v1/lists/{list}");
    }

    private static Route route(String address, String method, RequestMappingInfo info, HandlerMethod handler) {
        Set<String> names = new TreeSet<>();
        Set<String> fields = new TreeSet<>();
        for (MethodParameter parameter : handler.getMethodParameters()) {
            parameter.initParameterNameDiscovery(new DefaultParameterNameDiscoverer());
            Class<?> type = parameter.getParameterType();
            if (parameter.hasParameterAnnotation(RequestParam.class)) {
                String given =
                        parameter.getParameterAnnotation(RequestParam.class).value();
                names.add(given.isEmpty() ? parameter.getParameterName() : given);
            } else if (type.isRecord()) {
                Set<String> into = parameter.hasParameterAnnotation(RequestBody.class) ? fields : names;
                for (RecordComponent component : type.getRecordComponents()) {
                    into.add(component.getName());
                }
            }
        }
        List<String> fixed = info.getParamsCondition().getExpressions().stream()
                .filter(expression -> !expression.isNegated())
                .map(expression ->
                        expression.getName() + "=" + URLEncoder.encode(String.valueOf(expression.getValue()), UTF_8))
                .toList();
        return new Route(address, method, names, fixed, fields);
    }
}
