package org.azuremail.web.layout;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.PostMapping;

/**
 * Shows the text of a form again when its sender is not signed in any more, so that it can be sent after signing in. Only refused
 * requests are forwarded here.
 */
@Controller
final class KeptForms {

    @PostMapping("/kept")
    String show(HttpServletRequest request, Model model) {
        Object action = request.getAttribute(RequestDispatcher.FORWARD_REQUEST_URI);
        Map<String, String> kept = new LinkedHashMap<>();
        request.getParameterMap().forEach((name, values) -> {
            if (!name.equals("_csrf") && values.length > 0) {
                kept.put(name, values[values.length - 1]);
            }
        });
        model.addAttribute("kept", kept);
        model.addAttribute("action", action == null ? "/" : action.toString());
        return "kept";
    }
}
