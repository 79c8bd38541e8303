package org.azuremail.web.layout;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.multipart.MultipartRequest;
import org.springframework.web.util.WebUtils;

/**
 * Shows a submitted form again if its sender is no longer signed in, so that it can be sent after signing in. Only
 * refused requests are forwarded here. A form requests this with the field {@code _keep} and names its secrets in
 * {@code _secret}. Secrets are not shown again, and the page asks for them anew. Files are not kept either.
 */
@Controller
final class KeptForms {

    private static final String SECRET = "_secret";
    private static final Set<String> NOT_KEPT = Set.of("_csrf", SECRET);

    /** The names of fields that are secrets even if the form does not declare them. */
    private static final Pattern SECRET_NAME = Pattern.compile("(?i).*(password|secret|token|key)");

    @PostMapping("/kept")
    String show(HttpServletRequest request, Model model) {
        Object action = request.getAttribute(RequestDispatcher.FORWARD_REQUEST_URI);
        Set<String> secrets = new TreeSet<>();
        Map<String, List<String>> kept = new LinkedHashMap<>();
        String[] named = request.getParameterValues(SECRET);
        Set<String> declared = named == null ? Set.of() : Set.copyOf(Arrays.asList(named));
        request.getParameterMap().forEach((name, values) -> {
            if (NOT_KEPT.contains(name)) {
                return;
            }
            if (declared.contains(name) || SECRET_NAME.matcher(name).matches()) {
                secrets.add(name);
            } else {
                kept.put(name, List.of(values));
            }
        });
        model.addAttribute("kept", kept);
        model.addAttribute("secrets", secrets);
        model.addAttribute("files", hasFiles(request));
        model.addAttribute("action", action == null ? "/" : action.toString());
        return "kept";
    }

    private static boolean hasFiles(HttpServletRequest request) {
        MultipartRequest form = WebUtils.getNativeRequest(request, MultipartRequest.class);
        return Stream.ofNullable(form)
                .flatMap(sent -> sent.getMultiFileMap().values().stream())
                .flatMap(List::stream)
                .anyMatch(file -> !file.isEmpty());
    }
}
